/* SPDX-License-Identifier: MIT */
#include "config/acts.h"

/* Operations of the trace's gaps, each class a bit. */
_Static_assert(N_CODE_CLASSES <= 32, "KEY_ACTS_CODE has no bit for another class");

static uint64_t had_code(const Dataflow *dataflow)
{
	uint64_t had = 0;

	for (uint32_t i = 0; dataflow != NULL && i < dataflow->n_gaps; i++)
		for (uint32_t k = 0; k < dataflow->gaps[i].n_operations; k++)
			had |= KEY_ACTS_CODE(dataflow->gaps[i].operations[k].class);
	return had;
}

static bool had_to_wait_for_room(const SimResult *result)
{
	for (guint i = 0; i < N_SIM_LIMITS; i++)
		if (result->limits[i].refused != UINT64_MAX)
			return true;
	return false;
}

/* What a mechanism brings with it. */
static uint64_t had_mechanism(const AtomicParameters *atomic, const Mechanism *mechanism)
{
	const uint64_t locks =
		KEY_ACTS_LOCKS | (atomic_has_lock_bits(atomic) ? KEY_ACTS_LOCK_BITS : 0);

	return KEY_ACTS_MECHANISM(mechanism_place(mechanism)) |
	       (mechanism->has_locks ? locks : 0) | (mechanism->as_store ? KEY_ACTS_STORE : 0);
}

/* Of atomics on shared memory. The tries of spin locks are exchanges. */
static uint64_t had_atomics(const AtomicParameters *atomic, const SimResult *result)
{
	const uint32_t uses =
		result->atomic_uses |
		(result->statistics.records[RECORD_LOCK] > 0 ? 1u << ATOMIC_PLAIN : 0);
	uint64_t had = 0;

	G_STATIC_ASSERT(N_MECHANISMS <= 5 && N_GLOBAL_MECHANISMS <= 6);
	for (uint32_t use = 0; use < N_ATOMIC_USES; use++) {
		if (!(uses >> use & 1))
			continue;
		had |= had_mechanism(atomic, mechanism_of_use(atomic, use));
		if (use == ATOMIC_F32)
			had |= KEY_ACTS_ATOMIC_F32;
		if (use == ATOMIC_64BIT)
			had |= KEY_ACTS_ATOMIC_64BIT;
		if (use == ATOMIC_PLAIN || (use == ATOMIC_F32 && !atomic->mechanism_f32) ||
		    (use == ATOMIC_64BIT && !atomic->mechanism_64bit))
			had |= KEY_ACTS_ATOMIC_PLAIN;
	}
	return had;
}

/* Of atomics on global memory. A mechanism that knows the whole grid acts on kernels that have one, executed or
   not, and so does what chooses a kernel's path; locks are tried by exchanges. */
static uint64_t had_global_atomics(const GlobalAtomicParameters *atomic,
				   const KernelInfo *kernel, const SimResult *result)
{
	const uint64_t *records = result->statistics.records;
	const bool in_kernel = records[RECORD_ATOMG] + records[RECORD_LOCK] > 0 ||
			       kernel->global_atomics == KERNEL_HAS;
	uint64_t had = in_kernel ? KEY_ACTS_GLOBAL_ATOMIC : 0;

	for (uint32_t kind = 0; kind < N_ATOMIC_KINDS; kind++)
		if (result->global_kinds >> kind & 1 || (kind == ATOMIC_PLAIN && in_kernel))
			had |= KEY_ACTS_GLOBAL_MECHANISM(
				global_mechanism_index(global_mechanism_of_kind(atomic, kind)));
	for (uint32_t m = 0; m < N_GLOBAL_MECHANISMS; m++)
		if (in_kernel && global_mechanisms[m]->new_common)
			had |= KEY_ACTS_GLOBAL_MECHANISM(m);
	return had;
}

KeyRun key_run(const Machine *machine, const KernelInfo *kernel, const SimResult *result)
{
	const Statistics *s = &result->statistics;
	const uint64_t n_global =
		s->records[RECORD_LDG] + s->records[RECORD_STG] + s->records[RECORD_ATOMG];
	const bool locks = s->records[RECORD_LOCK] > 0;
	const bool flow = kernel->dataflow != NULL;
	const struct {
		bool there;
		uint64_t bit;
	} facts[] = {
		{s->warp_cycles[STATE_READY] > 0, KEY_ACTS_CHOICE},
		{had_to_wait_for_room(result), KEY_ACTS_ROOM},
		{kernel->registers > 0 || machine->launch.registers > 0, KEY_ACTS_REGISTERS},
		{locks, KEY_ACTS_SPIN_LOCK},
		{n_global > 0 || s->memory.accesses > 0 ||
			 s->fences[SCOPE_DEVICE] + s->fences[SCOPE_SYSTEM] > 0,
		 KEY_ACTS_ANY_GLOBAL},
		{s->records[RECORD_BAR] > 0, KEY_ACTS_BARRIER},
		{s->records[RECORD_LDS] > 0, KEY_ACTS_LOAD},
		/* Where the trace says what waits for what, only a barrier waits for a store. */
		{(!flow || (s->records[RECORD_BAR] > 0 && machine->shared.queue == 0)) &&
			 (s->records[RECORD_STS] > 0 || locks),
		 KEY_ACTS_STORE},
		{s->records[RECORD_ATOM] > 0 || locks, KEY_ACTS_ATOMIC},
		/* Lanes that wait for their turn without trying fail, too. */
		{s->atomics.retries + s->spin_locks.retries > 0 ||
			 s->atomics.rounds > s->atomics.warp_instructions,
		 KEY_ACTS_FAILURE},
		{kernel->lock_sections && locks, KEY_ACTS_SECTION},
		{s->fences[SCOPE_BLOCK] > 0, KEY_ACTS_BLOCK_FENCE},
		{s->fences[SCOPE_DEVICE] + s->fences[SCOPE_SYSTEM] > 0, KEY_ACTS_DEVICE_FENCE},
		/* global.load_cycles stands for the latency then. */
		{n_global > s->memory.accesses && !(flow && machine->global.load_cycles > 0),
		 KEY_ACTS_GLOBAL},
		{s->memory.accesses > 0, KEY_ACTS_MEMORY},
		{s->records[RECORD_STG] > 0, KEY_ACTS_GLOBAL_STORE},
		{flow, KEY_ACTS_FLOW},
		{kernel->n_buffers > 0, KEY_ACTS_BUFFERS},
		{flow && machine->issue->constant_group_fill_cycles > 0, KEY_ACTS_LINES},
		{s->shared.accesses > 0, KEY_ACTS_SHARED},
	};
	KeyRun run = {machine, result,
		      had_code(kernel->dataflow) | had_atomics(&machine->atomic, result) |
			      had_global_atomics(&machine->global_atomic, kernel, result)};

	for (guint i = 0; i < G_N_ELEMENTS(facts); i++)
		run.had |= facts[i].there ? facts[i].bit : 0;
	return run;
}
