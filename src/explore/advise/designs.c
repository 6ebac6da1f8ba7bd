/* SPDX-License-Identifier: MIT */
/* Which changes of the machine fit which causes. */
#include "explore/advise/internal.h"
#include "model/cost.h"

#define MAX_LOCKS 65536

static void add_setting(GPtrArray *candidates, AdviceCause cause, const char *key,
			const char *value, const char *words)
{
	advice_add(candidates, cause, NULL, g_strdup_printf("%s=%s", key, value),
		   g_strdup(words));
}

/* Whether another value of the key might change the run. */
static bool may_act(const char *path, const Unchanged *unchanged)
{
	const KeyRun run =
		key_run(unchanged->machine, unchanged->kernel, &unchanged->replayed->run);

	return key_acts(key_find(path), run.machine, run.had);
}

uint64_t advice_hardware_bits(const Machine *machine)
{
	const CostMachine hardware = machine_hardware(machine);

	return cost_total(&hardware);
}

void advice_add_designs(GPtrArray *candidates, const Unchanged *unchanged)
{
	const Machine *machine = unchanged->machine;

	if (advice_costs(unchanged, IDEAL_lock_aliases) && may_act("atomic.locks", unchanged)) {
		for (uint32_t locks = 2 * machine->atomic.locks;
		     locks <= MIN(4 * machine->atomic.locks, MAX_LOCKS); locks *= 2)
			advice_add(candidates, CAUSE_ALIAS, NULL,
				   g_strdup_printf("atomic.locks=%u", locks),
				   g_strdup_printf("hardware: %u locks", locks));
		add_setting(candidates, CAUSE_ALIAS, "atomic.lock_hash", "xor",
			    "hardware: XOR lock hash");
		add_setting(candidates, CAUSE_ALIAS, "atomic.lock_hash", "ipoly",
			    "hardware: polynomial lock hash");
	}
	if (advice_costs(unchanged, IDEAL_lock_aliases) &&
	    may_act("atomic.lock_bits.cam_entries", unchanged)) {
		const uint32_t entries = atomic_cam_entries(&machine->atomic);

		for (uint32_t n = 2 * entries; n <= MIN(4 * entries, MAX_LOCKS); n *= 2)
			advice_add(candidates, CAUSE_ALIAS, NULL,
				   g_strdup_printf("atomic.lock_bits.cam_entries=%u", n),
				   g_strdup_printf("hardware: a CAM of %u locks", n));
	}
	if (advice_costs(unchanged, IDEAL_bank_conflicts)) {
		add_setting(candidates, CAUSE_BANKS, "shared.bank_hash", "xor",
			    "hardware: XOR bank hash");
		add_setting(candidates, CAUSE_BANKS, "shared.bank_hash", "ipoly",
			    "hardware: polynomial bank hash");
	}
}
