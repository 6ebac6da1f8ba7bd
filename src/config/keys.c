/* SPDX-License-Identifier: MIT */
#include "config/keys.h"

#include <string.h>

#include "config/keys-own.h"
#include "model/memory/memory-keys.h"

static const struct {
	const char *name, *doc;
} sections[] = {
	{"sm", "Streaming multiprocessor"},
	{"shared", "Shared memory"},
	{"atomic", "Atomics on shared memory"},
	{"global", "Global memory"},
	{"global.atomic", "Atomics on global memory"},
	{"ideal", "Ideals: one thing costs nothing, to find what it costs"},
	{"launch", "Launch state: no property of the GPU"},
	{"sim", "Simulator"},
};

static gboolean scheduler_in_use(const Machine *machine, guint i)
{
	return machine->sm.scheduler == schedulers[i];
}

static char *why_other_scheduler(const Machine *machine, guint i)
{
	(void)i;
	return g_strdup_printf("sm.scheduler is %s", machine->sm.scheduler->name);
}

/* Where SMs lie matters for lines of constants, too. */
static gboolean has_slices(const Machine *machine, guint i)
{
	return machine->global.model == GLOBAL_SLICES ||
	       ((i == MEMORY_KEYS_L2 || i == MEMORY_KEYS_NETWORK) &&
		machine->issue->constant_group_fill_cycles > 0);
}

static char *why_no_slices(const Machine *machine, guint i)
{
	(void)i;
	return g_strdup_printf("global.model is %s", global_model_names[machine->global.model]);
}

static gboolean is_in_use(const Machine *machine, guint i)
{
	return mechanism_in_use(&machine->atomic, mechanisms[i]);
}

static gboolean global_in_use(const Machine *machine, guint i)
{
	return global_mechanism_in_use(&machine->global_atomic, global_mechanisms[i]);
}

/* The table, put together once. */
static struct {
	GArray *keys;	     /* Key */
	GArray *owners;	     /* KeyOwner */
	GHashTable *by_path; /* to Key, of the paths that they had before, too */
} all;

static void add_rows(const Key *rows, guint n, size_t block)
{
	for (guint i = 0; i < n; i++) {
		Key key = rows[i];

		g_assert(key.default_value && key.doc && key.source);
		key.block = block;
		g_array_append_val(all.keys, key);
	}
}

static void add_owner(const KeyOwner *owner)
{
	if (owner->table->n_rows == 0)
		return;
	g_array_append_vals(all.owners, owner, 1);
	for (const KeyTable *table = owner->table; table; table = table->rest)
		add_rows(table->rows, table->n_rows, owner->block);
}

static void add_schedulers(void)
{
	for (guint i = 0; i < N_SCHEDULERS; i++)
		add_owner(&(KeyOwner){
			.table = &schedulers[i]->keys,
			.block = offsetof(Machine, sm.own) + i * sizeof(void *),
			.in_use = scheduler_in_use,
			.why = why_other_scheduler,
			.acts_on = KEY_ACTS_CHOICE,
			.i = i,
		});
}

static gboolean always(const Machine *machine, guint i)
{
	(void)machine;
	(void)i;
	return TRUE;
}

static void add_part(const KeyTable *table, size_t block, uint64_t acts_on)
{
	const KeyOwner owner = {table, block, .in_use = always, .acts_on = acts_on};

	add_owner(&owner);
}

static void add_mechanisms(void)
{
	for (guint i = 0; i < N_MECHANISMS; i++)
		add_owner(&(KeyOwner){
			.table = &mechanisms[i]->keys,
			.block = offsetof(Machine, atomic.own) + i * sizeof(void *),
			.in_use = is_in_use,
			.kind = KEY_OWNER_MECHANISM,
			.acts_on = KEY_ACTS_MECHANISM(i),
			.i = i,
		});
}

static void add_combiners(MemorySpace space)
{
	for (guint c = 0; c < N_COMBINERS; c++)
		if (combiners[c]->keys[space])
			add_owner(combiner_key_owner(space, c));
}

static void add_memory(void)
{
	static const size_t blocks[N_MEMORY_KEYS] = {
		offsetof(Machine, l2), offsetof(Machine, network), offsetof(Machine, dram),
		offsetof(Machine, tlb), offsetof(Machine, paths)};

	for (guint i = 0; i < N_GLOBAL_MECHANISMS; i++)
		add_owner(&(KeyOwner){
			.table = &global_mechanisms[i]->keys,
			.block = offsetof(Machine, global_atomic.own) + i * sizeof(void *),
			.in_use = global_in_use,
			.kind = KEY_OWNER_GLOBAL_MECHANISM,
			.acts_on = KEY_ACTS_GLOBAL_MECHANISM(i),
			.i = i,
		});
	add_combiners(MEMORY_GLOBAL);
	for (guint i = 0; i < N_MEMORY_KEYS; i++)
		add_owner(&(KeyOwner){
			.table = &memory_keys[i],
			.block = blocks[i],
			.in_use = has_slices,
			.why = why_no_slices,
			.acts_on = KEY_ACTS_BUFFERS | KEY_ACTS_LINES,
			.i = i,
		});
}

/* No path may mean two keys. */
static void add_path(char *path, Key *key)
{
	gboolean is_new = g_hash_table_insert(all.by_path, path, key);

	g_assert(is_new);
}

static void add_paths(Key *key)
{
	g_auto(GStrv) former = g_strsplit(key->formerly ? key->formerly : "", " ", -1);

	add_path(g_strdup(key->path), key);
	for (guint i = 0; former[i]; i++)
		add_path(g_strdup(former[i]), key);
}

static gpointer put_together(gpointer unused)
{
	all.keys = g_array_new(FALSE, FALSE, sizeof(Key));
	all.owners = g_array_new(FALSE, FALSE, sizeof(KeyOwner));
	/* In the order of help and reports, section by section. */
	add_rows(sm_keys, n_sm_keys, 0);
	add_schedulers();
	add_part(&issue_keys, offsetof(Machine, issue),
		 KEY_ACTS_FLOW | KEY_ACTS_SECTION | KEY_ACTS_BLOCK_FENCE |
			 KEY_ACTS_DEVICE_FENCE);
	add_rows(shared_keys, n_shared_keys, 0);
	add_mechanisms();
	add_combiners(MEMORY_SHARED);
	add_rows(global_keys, n_global_keys, 0);
	add_memory();
	add_rows(ideal_keys, N_IDEALS, 0);
	add_rows(launch_keys, n_launch_keys, 0);
	add_part(&cost_keys, offsetof(Machine, cost), KEY_ACTS_NEVER);
	all.by_path = g_hash_table_new(g_str_hash, g_str_equal);
	for (guint i = 0; i < all.keys->len; i++)
		add_paths(&g_array_index(all.keys, Key, i));
	return unused;
}

static void ready(void)
{
	static GOnce once = G_ONCE_INIT;

	g_once(&once, put_together, NULL);
}

guint key_count(void)
{
	ready();
	return all.keys->len;
}

const Key *key_at(guint i)
{
	ready();
	return &g_array_index(all.keys, Key, i);
}

guint key_index(const Key *key)
{
	return (guint)(key - key_at(0));
}

guint key_owner_count(void)
{
	ready();
	return all.owners->len;
}

const KeyOwner *key_owner_at(guint i)
{
	ready();
	return &g_array_index(all.owners, KeyOwner, i);
}

const Key *key_find(const char *path)
{
	ready();
	return g_hash_table_lookup(all.by_path, path);
}

gboolean key_value_number(const Key *key, const char *name, guint *number)
{
	const KeyNames *names = key->names;

	for (guint i = 0; key_name(names, i); i++) {
		if (g_strcmp0(key_name(names, i), name) == 0 ||
		    (names->formerly && g_str_equal(names->formerly[i], name))) {
			*number = i;
			return TRUE;
		}
	}
	return FALSE;
}

gboolean key_is_section(const char *path)
{
	gsize length = strlen(path);
	GHashTableIter all_paths;
	gpointer key;

	ready();
	g_hash_table_iter_init(&all_paths, all.by_path);
	while (g_hash_table_iter_next(&all_paths, &key, NULL)) {
		if (strncmp(key, path, length) == 0 && ((const char *)key)[length] == '.')
			return TRUE;
	}
	return FALSE;
}

char *key_section(const Key *key)
{
	const char *dot = strrchr(key->path, '.');

	return g_strndup(key->path, dot ? (gsize)(dot - key->path) : 0);
}

const char *section_doc(const char *section)
{
	for (guint i = 0; i < G_N_ELEMENTS(sections); i++)
		if (strcmp(sections[i].name, section) == 0)
			return sections[i].doc;
	for (guint i = 0; i < key_owner_count(); i++)
		if (strcmp(key_owner_at(i)->table->section, section) == 0)
			return key_owner_at(i)->table->title;
	g_assert_not_reached();
}

char *key_pointer(const Key *key)
{
	char *pointer = g_strconcat("/", key->path, NULL);

	return g_strdelimit(pointer, ".", '/');
}
