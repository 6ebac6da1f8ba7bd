/* SPDX-License-Identifier: MIT */
/*
 * Lets a kernel record itself where the Compute Sanitizer is refused: the accesses that the program
 * marks, as a folder that `atomsim capture --from FOLDER -o FILE` converts. C++11 and the CUDA
 * runtime, sm_75 or later, Linux; docs/guide/capture.md has an example.
 *
 *   nvcc -DATOMSIM_RECORD program.cu        records
 *   nvcc program.cu                         all marks are the plain operations
 *
 * In the kernel. Each argument is evaluated once:
 *
 *   ATOMSIM_KERNEL;                    the first statement
 *   ATOMSIM_LOAD(x[i])                 the value of x[i]; 1, 2, 4, 8 or 16 bytes
 *   ATOMSIM_STORE(x[i], value);        x[i] = value
 *   ATOMSIM_ATOMIC(Add, &x[i], 1);     atomicAdd(&x[i], 1), without its result; Sub, Min, Max,
 *                                      Inc, Dec, And, Or, Xor, Exch, CAS alike
 *   ATOMSIM_FETCH(Add, &x[i], 1)       the same, the value before it
 *   ATOMSIM_ATOMIC_UNIFORM(Add, p, v); the same where all lanes name one word, which the compiler can
 *   ATOMSIM_FETCH_UNIFORM(Add, p, v)   see: nvcc adds up the lanes, and one of them does the atomic
 *   ATOMSIM_MARK(Add, &x[i]);          records an atomic, and leaves doing it to the program: to a
 *                                      loop of its own around a compare-and-swap
 *   ATOMSIM_SYNCTHREADS();             __syncthreads()
 *   ATOMSIM_SYNCWARP(mask);            __syncwarp(mask)
 *   ATOMSIM_SHUFFLE(expression)        the value of the expression, which has a shuffle
 *   ATOMSIM_VOTE(expression)           the same of a vote
 *   ATOMSIM_FENCE(threadfence);        __threadfence(); threadfence_block and threadfence_system alike
 *   ATOMSIM_WORK(n);                   n arithmetic instructions were executed since the last mark
 *
 * On the host, in the same source file:
 *
 *   bool atomsim::record(folder, launch, buffer_bytes = 64 MiB, first_block = 0, last_block = all)
 *
 * calls launch(), which starts one kernel, waits for the GPU, and writes what these blocks recorded to the
 * folder, which must not exist; further calls of the process add launches to it. false: stderr
 * says why. Without ATOMSIM_RECORD it calls launch() and returns true.
 */
#ifndef ATOMSIM_RECORD_CUH
#define ATOMSIM_RECORD_CUH

#ifndef ATOMSIM_RECORD

#define ATOMSIM_KERNEL	  ((void)0)
#define ATOMSIM_LOAD(...) (__VA_ARGS__)
#define ATOMSIM_STORE(place, ...)                                                              \
	do {                                                                                   \
		(place) = (__VA_ARGS__);                                                       \
	} while (0)
#define ATOMSIM_ATOMIC(operation, pointer, ...)                                                \
	((void)atomic##operation((pointer), __VA_ARGS__))
#define ATOMSIM_FETCH(operation, pointer, ...) (atomic##operation((pointer), __VA_ARGS__))
#define ATOMSIM_ATOMIC_UNIFORM		       ATOMSIM_ATOMIC
#define ATOMSIM_FETCH_UNIFORM		       ATOMSIM_FETCH
#define ATOMSIM_MARK(operation, pointer)       ((void)0)
#define ATOMSIM_SYNCTHREADS()		       __syncthreads()
#define ATOMSIM_SYNCWARP(mask)		       __syncwarp(mask)
#define ATOMSIM_SHUFFLE(...)		       (__VA_ARGS__)
#define ATOMSIM_VOTE(...)		       (__VA_ARGS__)
#define ATOMSIM_FENCE(kind)		       __##kind()
#define ATOMSIM_WORK(n)			       ((void)0)

namespace atomsim
{
template <class Launch>
bool record(const char *, Launch launch, unsigned long long = 0, unsigned long long = 0,
	    unsigned long long = 0)
{
	launch();
	return true;
}
} // namespace atomsim

#else

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#define ATOMSIM_HERE __FILE__, (__LINE__ | (unsigned long long)__COUNTER__ << 32)

#define ATOMSIM_KERNEL		  ::atomsim::Kernel atomsim_kernel_here(ATOMSIM_HERE, __func__)
#define ATOMSIM_LOAD(...)	  ::atomsim::load(ATOMSIM_HERE, &(__VA_ARGS__))
#define ATOMSIM_STORE(place, ...) ::atomsim::store(ATOMSIM_HERE, &(place), (__VA_ARGS__))
#define ATOMSIM_ANY_ATOMIC(operation, bits, pointer, ...)                                      \
	::atomsim::fetch<::atomsim::operation, (bits)>(ATOMSIM_HERE, (pointer), __VA_ARGS__)
#define ATOMSIM_ATOMIC(operation, pointer, ...)                                                \
	((void)ATOMSIM_ANY_ATOMIC(operation,                                                   \
				  ::atomsim::is_one(#__VA_ARGS__) ? ::atomsim::ONE : 0,        \
				  pointer, __VA_ARGS__))
#define ATOMSIM_FETCH(operation, pointer, ...)                                                 \
	ATOMSIM_ANY_ATOMIC(operation, ::atomsim::USED, pointer, __VA_ARGS__)
#define ATOMSIM_ATOMIC_UNIFORM(operation, pointer, ...)                                        \
	((void)ATOMSIM_ANY_ATOMIC(operation, ::atomsim::UNIFORM, pointer, __VA_ARGS__))
#define ATOMSIM_FETCH_UNIFORM(operation, pointer, ...)                                         \
	ATOMSIM_ANY_ATOMIC(operation, ::atomsim::USED | ::atomsim::UNIFORM, pointer,           \
			   __VA_ARGS__)
#define ATOMSIM_MARK(operation, pointer)                                                       \
	::atomsim::mark<::atomsim::operation, 0>(ATOMSIM_HERE, (pointer))
#define ATOMSIM_SYNCTHREADS()                                                                  \
	(::atomsim::put(ATOMSIM_HERE, ::atomsim::DO_BARRIER), __syncthreads())
#define ATOMSIM_SYNCWARP(mask)                                                                 \
	(::atomsim::put(ATOMSIM_HERE, ::atomsim::DO_SYNCWARP), __syncwarp(mask))
#define ATOMSIM_SHUFFLE(...)                                                                   \
	(::atomsim::put(ATOMSIM_HERE, ::atomsim::DO_SHUFFLE), (__VA_ARGS__))
#define ATOMSIM_VOTE(...) (::atomsim::put(ATOMSIM_HERE, ::atomsim::DO_VOTE), (__VA_ARGS__))
#define ATOMSIM_FENCE(kind)                                                                    \
	(::atomsim::put(ATOMSIM_HERE, ::atomsim::DO_FENCE | ::atomsim::kind << 8), __##kind())
#define ATOMSIM_WORK(n) ::atomsim::work(ATOMSIM_HERE, (n))

namespace atomsim
{

/* ---- On the GPU */

/* What was done, in a word: bits 0-7 this, 8-15 operation or Scope, 16-19 Type, 20 the old value is
   used, 21 adds the literal 1, 22 one lane does it for all, 23 what each lane adds is recorded, 24-27 Space, which put() adds. */
enum What {
	DO_ENTER = 1,
	DO_EXIT,
	DO_LOAD,
	DO_STORE,
	DO_ATOMIC,
	DO_BARRIER,
	DO_SYNCWARP,
	DO_SHUFFLE,
	DO_VOTE,
	DO_FENCE,
	DO_WORK,
};
enum Scope { threadfence_block, threadfence, threadfence_system };
enum Type { TYPE_U32, TYPE_S32, TYPE_F32, TYPE_U64, TYPE_S64, TYPE_F64 };
enum Space { SPACE_NONE, SPACE_SHARED, SPACE_GLOBAL, SPACE_LOCAL, SPACE_REMOTE };

static const unsigned USED = 1u << 20, ONE = 1u << 21, UNIFORM = 1u << 22, VALUES = 1u << 23;

/*
 * One event in the GPU's buffer, in units of 8 bytes: address of the file's name; line and counter;
 * block; lanes and detail; warp, bytes a lane and what; then the lanes' addresses, 8 bytes each,
 * and with VALUES as many values.
 */
static const unsigned HEAD_UNITS = 5;

/* Where the launch writes. `units` 0: nothing is recorded. */
struct Recorder {
	unsigned long long *units;
	unsigned long long capacity; /* units */
	unsigned long long cursor;   /* units that were asked for */
	unsigned long long end;	     /* of the units that have whole events */
	unsigned long long n_events, n_dropped;
	unsigned long long first_block, last_block;
	const char *kernel; /* 0: none began */
	unsigned grid[3], block[3];
};

static __device__ Recorder recorder;

/*
 * The lanes that come to a mark together make one event; those with addresses in different memories one each. Inlined: of
 * calls at several places the assembler may make one, at which lanes meet that in the program do not.
 */
static __device__ __forceinline__ void put(const char *file, unsigned long long place,
					   unsigned what, const void *pointer = 0,
					   unsigned bytes = 0, unsigned detail = 0,
					   unsigned long long value = 0)
{
	unsigned long long block_id =
		blockIdx.x + (unsigned long long)gridDim.x *
				     (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);

	if (!recorder.units || block_id < recorder.first_block ||
	    block_id > recorder.last_block)
		return;

	unsigned space = !pointer	       ? SPACE_NONE
			 : __isShared(pointer) ? SPACE_SHARED
			 : __isGlobal(pointer) ? SPACE_GLOBAL
			 : __isLocal(pointer)  ? SPACE_LOCAL
					       : SPACE_REMOTE;
	unsigned long long address = space == SPACE_SHARED ? __cvta_generic_to_shared(pointer)
							   : (unsigned long long)pointer;
	unsigned active = __activemask();
	unsigned together = __match_any_sync(active, place) &
			    __match_any_sync(active, space | (unsigned long long)detail << 32);
	/* nvcc has the last lane do it. */
	unsigned mask = what & UNIFORM ? 1u << (31 - __clz((int)together)) : together;
	unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
	unsigned lane = thread % 32, leader = __ffs(mask) - 1;
	bool has_addresses = space != SPACE_NONE && space != SPACE_LOCAL;
	unsigned n_lanes = __popc(mask), rank = __popc(mask & ((1u << lane) - 1));
	unsigned n_units = HEAD_UNITS + (!has_addresses	 ? 0
					 : what & VALUES ? 2 * n_lanes
							 : n_lanes);
	unsigned long long start = 0;

	if (lane == leader) {
		start = atomicAdd(&recorder.cursor, (unsigned long long)n_units);
		atomicAdd(&recorder.n_events, 1ull);
		if (start + n_units > recorder.capacity) {
			atomicAdd(&recorder.n_dropped, 1ull);
			atomicMin(&recorder.end, start);
		}
	}
	start = __shfl_sync(active, start, leader);
	if (mask >> lane & 1 && start + n_units <= recorder.capacity) {
		volatile unsigned long long *unit = recorder.units + start;

		if (lane == leader) {
			unit[0] = (unsigned long long)file;
			unit[1] = place;
			unit[2] = block_id;
			unit[3] = mask | (unsigned long long)detail << 32;
			unit[4] = thread / 32 | bytes << 16 |
				  (unsigned long long)(what | space << 24) << 32;
		}
		if (has_addresses)
			unit[HEAD_UNITS + rank] = address;
		if (has_addresses && what & VALUES)
			unit[HEAD_UNITS + n_lanes + rank] = value;
	}
	__syncwarp(active);
}

static __device__ __forceinline__ unsigned shared_bytes()
{
	unsigned bytes;

#ifdef __CUDACC__
	asm("mov.u32 %0, %%total_smem_size;" : "=r"(bytes));
#else
	bytes = total_shared_bytes;
#endif
	return bytes;
}

/* Its lifetime is the kernel's, whichever way a thread returns. */
struct Kernel {
	const char *file;
	unsigned long long place;

	__device__ __forceinline__ Kernel(const char *its_file, unsigned long long its_place,
					  const char *name)
	    : file(its_file), place(its_place)
	{
		if (recorder.units) {
			recorder.kernel = name;
			recorder.grid[0] = gridDim.x;
			recorder.grid[1] = gridDim.y;
			recorder.grid[2] = gridDim.z;
			recorder.block[0] = blockDim.x;
			recorder.block[1] = blockDim.y;
			recorder.block[2] = blockDim.z;
		}
		put(file, place, DO_ENTER, 0, 0, shared_bytes());
	}
	__device__ __forceinline__ ~Kernel()
	{
		put(file, place, DO_EXIT);
	}
};

template <class T> struct Plain {
	typedef T type;
};
template <class T> struct Plain<const T> : Plain<T> {
};
template <class T> struct Plain<volatile T> : Plain<T> {
};
template <class T> struct Plain<const volatile T> : Plain<T> {
};

template <class T> constexpr __host__ __device__ bool has_width()
{
	return sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 ||
	       sizeof(T) == 16;
}

template <class T>
__device__ __forceinline__ typename Plain<T>::type load(const char *file,
							unsigned long long place, T *pointer)
{
	static_assert(has_width<T>(), "ATOMSIM_LOAD takes 1, 2, 4, 8 or 16 bytes");
	put(file, place, DO_LOAD, (const void *)pointer, sizeof(T));
	return *pointer;
}

template <class T, class V>
__device__ __forceinline__ void store(const char *file, unsigned long long place, T *pointer,
				      V value)
{
	static_assert(has_width<T>(), "ATOMSIM_STORE takes 1, 2, 4, 8 or 16 bytes");
	put(file, place, DO_STORE, (const void *)pointer, sizeof(T));
	*pointer = value;
}

template <class T> struct TypeOf {
	static_assert(sizeof(T) == 0, "atomics are recorded of 32- and 64-bit integers, float "
				      "and double");
};
template <> struct TypeOf<unsigned int> {
	static const unsigned value = TYPE_U32;
};
template <> struct TypeOf<int> {
	static const unsigned value = TYPE_S32;
};
template <> struct TypeOf<float> {
	static const unsigned value = TYPE_F32;
};
template <> struct TypeOf<unsigned long long> {
	static const unsigned value = TYPE_U64;
};
template <> struct TypeOf<long long> {
	static const unsigned value = TYPE_S64;
};
template <> struct TypeOf<double> {
	static const unsigned value = TYPE_F64;
};

/* The argument is the literal 1: nvcc has an instruction of its own for adding that. */
constexpr __host__ __device__ bool is_one(const char *text)
{
	return text[0] == '1' &&
	       (text[1] == '\0' || ((text[1] == 'u' || text[1] == 'U') && text[2] == '\0'));
}

#define ATOMSIM_OPERATION(name, number)                                                        \
	struct name {                                                                          \
		static const unsigned value = number;                                          \
		template <class T>                                                             \
		static __device__ __forceinline__ T apply(T *pointer,                          \
							  typename Plain<T>::type operand)     \
		{                                                                              \
			return atomic##name(pointer, operand);                                 \
		}                                                                              \
	}
ATOMSIM_OPERATION(Add, 0);
ATOMSIM_OPERATION(Sub, 1);
ATOMSIM_OPERATION(Min, 2);
ATOMSIM_OPERATION(Max, 3);
ATOMSIM_OPERATION(Inc, 4);
ATOMSIM_OPERATION(Dec, 5);
ATOMSIM_OPERATION(And, 6);
ATOMSIM_OPERATION(Or, 7);
ATOMSIM_OPERATION(Xor, 8);
ATOMSIM_OPERATION(Exch, 9);
#undef ATOMSIM_OPERATION
struct CAS {
	static const unsigned value = 10;
	template <class T>
	static __device__ __forceinline__ T apply(T *pointer, typename Plain<T>::type compare,
						  typename Plain<T>::type operand)
	{
		return atomicCAS(pointer, compare, operand);
	}
};

/* What a lane adds, where that decides how often nvcc's loop around a compare-and-swap goes round. */
template <class T> __device__ __forceinline__ unsigned long long bits_of(T)
{
	return 0;
}
__device__ __forceinline__ unsigned long long bits_of(float value)
{
	return (unsigned)__float_as_int(value);
}
__device__ __forceinline__ unsigned long long bits_of(double value)
{
	return (unsigned long long)__double_as_longlong(value);
}

template <class Operation, unsigned bits, class T>
__device__ __forceinline__ void mark(const char *file, unsigned long long place, T *pointer,
				     unsigned long long value = 0)
{
	put(file, place, DO_ATOMIC | Operation::value << 8 | TypeOf<T>::value << 16 | bits,
	    pointer, sizeof(T), 0, value);
}

template <class Operation, unsigned bits, class T, class Operand>
__device__ __forceinline__ T fetch(const char *file, unsigned long long place, T *pointer,
				   Operand operand)
{
	const unsigned type = TypeOf<T>::value;
	const bool has_value =
		Operation::value == Add::value && (type == TYPE_F32 || type == TYPE_F64);

	mark<Operation, bits | (has_value ? VALUES : 0)>(file, place, pointer,
							 bits_of((T)operand));
	return Operation::apply(pointer, operand);
}

template <class Operation, unsigned bits, class T, class Compare, class Operand>
__device__ __forceinline__ T fetch(const char *file, unsigned long long place, T *pointer,
				   Compare compare, Operand operand)
{
	mark<Operation, bits>(file, place, pointer);
	return Operation::apply(pointer, compare, operand);
}

static __device__ __forceinline__ void work(const char *file, unsigned long long place,
					    unsigned n)
{
	if (n > 0)
		put(file, place, DO_WORK, 0, 0, n);
}

/* ---- The raw capture: src/gpu/capture/raw.h of atomsim says what its bytes mean */

struct RawHead {
	char magic[8];
	uint32_t version, reserved;
};
struct RawChunk {
	uint32_t kind, launch;
	uint64_t bytes;
};
struct RawLaunch {
	uint64_t function_pc, function_bytes;
	uint32_t grid[3], block[3], cluster[3], module, name_bytes, reserved;
};
struct RawEnd {
	uint64_t n_events, dropped, buffer_bytes;
	uint32_t failed, reserved;
};
struct RawEvent {
	uint64_t pc, block_id;
	uint32_t mask, detail;
	uint16_t warp;
	uint8_t kind, bytes;
	uint32_t flags;
};
enum { CHUNK_LAUNCH = 1, CHUNK_EVENTS, CHUNK_END, CHUNK_MEMORY };
enum {
	RAW_ENTER = 1,
	RAW_EXIT,
	RAW_SHARED,
	RAW_GLOBAL,
	RAW_BARRIER,
	RAW_REMOTE,
	RAW_SHUFFLE = 9,
	RAW_SYNCWARP,
	RAW_CALL,
	RAW_LOCAL = 13
};
static const uint64_t FUNCTION_PC = 0x10000;
static const uint32_t MOST_WORK = 4096; /* instructions of an event */

typedef std::pair<uint64_t, uint64_t> Range; /* address, bytes */

inline bool complain(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fputs("atomsim_record.cuh: ", stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
	return false;
}

inline bool good(cudaError_t error, const char *what)
{
	return error == cudaSuccess ||
	       complain("%s: %s; nothing is recorded", what, cudaGetErrorString(error));
}

/* A string of the GPU's memory, whose length is not known: byte by byte. */
inline bool read_string(const char *there, std::string &text)
{
	char c;

	for (text.clear(); text.size() < 4096; text += c) {
		if (!good(cudaMemcpy(&c, there + text.size(), 1, cudaMemcpyDeviceToHost),
			  "reading a name from the GPU"))
			return false;
		if (c == '\0' || c == '\n' || c == '"')
			return true;
	}
	return true;
}

/* Where an access is in the source, and what it does: one instruction of the listing. */
struct Site {
	std::string file;
	uint32_t counter, line, what, bytes;

	bool operator<(const Site &other) const
	{
		return std::tie(file, counter, line, what, bytes) <
		       std::tie(other.file, other.counter, other.line, other.what, other.bytes);
	}
};

/* One event, read back. */
struct Event {
	uint64_t file, block_id;
	uint32_t counter, line, mask, detail, warp, bytes, what;
	const unsigned long long *addresses;
	unsigned n_addresses, n_values; /* the values follow the addresses */
};

inline uint32_t space_of(uint32_t what)
{
	return what >> 24 & 15;
}

/* Reads the event at `units`; returns how many units it has. */
inline uint64_t read_event(const unsigned long long *units, Event &event)
{
	uint32_t space;

	event.file = units[0];
	event.line = (uint32_t)units[1];
	event.counter = (uint32_t)(units[1] >> 32);
	event.block_id = units[2];
	event.mask = (uint32_t)units[3];
	event.detail = (uint32_t)(units[3] >> 32);
	event.warp = (uint32_t)units[4] & 0xffff;
	event.bytes = (uint32_t)units[4] >> 16;
	event.what = (uint32_t)(units[4] >> 32);
	space = space_of(event.what);
	event.addresses = units + HEAD_UNITS;
	event.n_addresses = space == SPACE_NONE || space == SPACE_LOCAL
				    ? 0
				    : (unsigned)__builtin_popcount(event.mask);
	event.n_values = event.what & VALUES ? event.n_addresses : 0;
	return HEAD_UNITS + event.n_addresses + event.n_values;
}

/*
 * The instruction that stands for a site, as nvcc names it. `result` is the register that it writes if
 * it returns a value, `values` the registers that it waits for. The registers that hold addresses
 * wait for what ATOMSIM_WORK executes.
 */
inline std::string instruction_of(const Site &site, const std::string &result,
				  const std::string &values)
{
	static const char *const operations[] = {"ADD", "ADD", "MIN", "MAX",  "INC", "DEC",
						 "AND", "OR",  "XOR", "EXCH", "CAS"};
	static const char *const fences[] = {"CTA", "GPU", "SYS"};
	uint32_t space = space_of(site.what), operation = site.what >> 8 & 255;
	uint32_t type = site.what >> 16 & 15;
	const char *width = site.bytes == 1    ? ".U8"
			    : site.bytes == 2  ? ".U16"
			    : site.bytes == 8  ? ".64"
			    : site.bytes == 16 ? ".128"
					       : "";
	const char *end = space == SPACE_SHARED	  ? "S"
			  : space == SPACE_LOCAL  ? "L"
			  : space == SPACE_GLOBAL ? "G.E"
						  : ".E";
	bool used = site.what & USED, by_sign = operation == 2 || operation == 3;
	std::string text;

	switch (site.what & 255) {
	case DO_LOAD:
		return std::string("LD") + end + width + " " + result + ", [R2]";
	case DO_STORE:
		return std::string("ST") + end + width + " [R2], " + values;
	case DO_BARRIER:
		return "BAR.SYNC.DEFER_BLOCKING 0x0";
	case DO_SYNCWARP:
		return "WARPSYNC 0xffffffff";
	case DO_SHUFFLE:
		return "SHFL.IDX PT, " + result + ", " + values + ", 0x0, 0x1f";
	case DO_VOTE:
		return "VOTE.ANY R3, PT, PT";
	case DO_FENCE:
		return std::string("MEMBAR.SC.") + fences[operation % 3];
	case DO_ATOMIC:
		if (site.what & ONE && operation == 0 && space == SPACE_SHARED &&
		    (type == TYPE_U32 || type == TYPE_S32))
			return "ATOMS.POPC.INC.32 RZ, [" + values.substr(0, values.find(',')) +
			       "]";
		text = space == SPACE_GLOBAL && !used ? "RED" : "ATOM";
		text += std::string(end) + "." + operations[operation % 11];
		if (operation < 2 && type == TYPE_F32)
			text += ".F32";
		else if (operation < 2 && type == TYPE_F64)
			text += ".F64";
		else if (by_sign && type == TYPE_S32)
			text += ".S32";
		else if (by_sign && type == TYPE_S64)
			text += ".S64";
		else if (site.bytes == 8)
			text += ".64";
		if (text[0] == 'A')
			text += used ? " " + result + "," : " RZ,";
		return text + " [R2], " + values;
	}
	return "EXIT";
}

struct Listing {
	std::map<uint64_t, std::string> files; /* by where the GPU has the name */
	std::map<Site, uint64_t> sites;	       /* and the instruction's offset */
	uint64_t work; /* where the instructions of ATOMSIM_WORK begin */
	uint32_t n_work;
};

inline Site site_of(const Listing &listing, const Event &event)
{
	Site site = {listing.files.find(event.file)->second, event.counter, event.line,
		     event.what, event.bytes};

	/* They have one instruction, the first. */
	if ((event.what & 255) == DO_ENTER || (event.what & 255) == DO_EXIT)
		site = Site{"", 0, 0, DO_EXIT, 0};
	return site;
}

/* Gives each site its place, in the order of the source. */
inline bool list_sites(const std::vector<unsigned long long> &units, uint64_t end,
		       Listing &listing)
{
	uint64_t offset = 0;
	Event event;

	for (uint64_t at = 0; at < end;) {
		at += read_event(&units[at], event);
		if (!listing.files.count(event.file) &&
		    !read_string((const char *)event.file, listing.files[event.file]))
			return false;
		if ((event.what & 255) == DO_WORK)
			listing.n_work =
				std::max(listing.n_work, std::min(event.detail, MOST_WORK));
		else
			listing.sites[site_of(listing, event)] = 0;
	}
	for (std::map<Site, uint64_t>::iterator i = listing.sites.begin();
	     i != listing.sites.end(); ++i, offset += 16)
		i->second = offset;
	listing.work = offset;
	return true;
}

/* A file of the folder, open for writing: its errors are found when it is closed. */
struct File {
	std::string path;
	FILE *stream;

	File(const std::string &folder, const std::string &name, const char *mode)
	    : path(folder + "/" + name), stream(fopen(path.c_str(), mode))
	{
	}
	void write(const void *bytes, size_t n)
	{
		if (stream && n > 0 && fwrite(bytes, n, 1, stream) != 1 && errno == 0)
			errno = EIO;
	}
	void print(const std::string &text)
	{
		write(text.data(), text.size());
	}
	bool close()
	{
		bool bad = !stream || ferror(stream);

		bad = (stream && fclose(stream) != 0) || bad;
		return !bad || complain("cannot write '%s': %s", path.c_str(), strerror(errno));
	}
};

inline bool returns_value(const Site &site)
{
	return (site.what & 255) == DO_LOAD || (site.what & 255) == DO_SHUFFLE ||
	       ((site.what & 255) == DO_ATOMIC && site.what & USED);
}

/* What depends on what is not known here: a site is taken to wait for the values of the line that it is in, else for the
   one before it in the source. R3: for none. */
inline std::string values_of(const std::map<Site, std::string> &results, const Site &site)
{
	std::map<Site, std::string>::const_iterator i = results.lower_bound(site);
	std::string values;

	for (unsigned n = 0; n < 3 && i != results.begin(); n++) {
		--i;
		if (i->first.file != site.file || (n > 0 && i->first.line != site.line))
			break;
		values += (n > 0 ? ", " : "") + i->second;
		if (i->first.line != site.line)
			break;
	}
	return values.empty() ? "R3" : values;
}

inline bool write_listing(const std::string &folder, unsigned launch, const Listing &listing,
			  const std::string &kernel, int capability)
{
	File file(folder, "module-" + std::to_string(launch) + "-0.sass", "w");
	std::map<Site, std::string> results;
	unsigned n = 0;
	char text[64];

	for (std::map<Site, uint64_t>::const_iterator i = listing.sites.begin();
	     i != listing.sites.end(); ++i)
		if (returns_value(i->first))
			results[i->first] = "R" + std::to_string(4 + 4 * (n++ % 60));
	file.print("\t.target\tsm_" + std::to_string(capability) + "\n\t.marked\n.text." +
		   kernel + ":\n");
	for (std::map<Site, uint64_t>::const_iterator i = listing.sites.begin();
	     i != listing.sites.end(); ++i) {
		if (i->first.line > 0)
			file.print("\t//## File \"" + i->first.file + "\", line " +
				   std::to_string(i->first.line) + "\n");
		snprintf(text, sizeof(text), "/*%04llx*/ ", (unsigned long long)i->second);
		file.print(text +
			   instruction_of(i->first,
					  returns_value(i->first) ? results[i->first] : "RZ",
					  values_of(results, i->first)) +
			   " ;\n");
	}
	for (uint32_t i = 0; i < listing.n_work; i++) {
		snprintf(text, sizeof(text), "/*%04llx*/ IADD3 R2, R2, 0x1, RZ ;\n",
			 (unsigned long long)(listing.work + 16 * i));
		file.print(text);
	}
	return file.close();
}

inline void append(std::vector<char> &bytes, const void *from, size_t n)
{
	bytes.insert(bytes.end(), (const char *)from, (const char *)from + n);
}

/* The lower `width` bytes of each, and zeros up to a multiple of 8. */
inline void append_numbers(std::vector<char> &bytes, const unsigned long long *numbers,
			   unsigned n, size_t width)
{
	for (unsigned i = 0; i < n; i++)
		append(bytes, &numbers[i], width);
	bytes.resize((bytes.size() + 7) / 8 * 8);
}

inline uint8_t raw_kind_of(uint32_t what)
{
	static const uint8_t of_space[] = {RAW_GLOBAL, RAW_SHARED, RAW_GLOBAL, RAW_LOCAL,
					   RAW_REMOTE};

	switch (what & 255) {
	case DO_ENTER:
		return RAW_ENTER;
	case DO_EXIT:
		return RAW_EXIT;
	case DO_BARRIER:
		return RAW_BARRIER;
	case DO_SYNCWARP:
	case DO_FENCE:
		return RAW_SYNCWARP;
	case DO_SHUFFLE:
	case DO_VOTE:
		return RAW_SHUFFLE;
	case DO_WORK:
		return RAW_CALL;
	}
	return of_space[space_of(what) % 5];
}

/* Appends an event of the raw capture: one, or of much work several. Returns how many. */
inline uint64_t append_event(std::vector<char> &bytes, const Listing &listing,
			     const Event &event)
{
	uint32_t what = event.what & 255;
	bool is_work = what == DO_WORK;
	RawEvent raw = {};
	uint64_t n = 0;

	raw.pc = FUNCTION_PC +
		 (is_work ? listing.work : listing.sites.find(site_of(listing, event))->second);
	raw.block_id = event.block_id;
	raw.mask = event.mask;
	raw.warp = (uint16_t)event.warp;
	raw.kind = raw_kind_of(event.what);
	raw.bytes = (uint8_t)event.bytes;
	raw.flags = (what == DO_LOAD || what == DO_ATOMIC ? 1u : 0u) |
		    (what == DO_STORE || what == DO_ATOMIC ? 2u : 0u) |
		    (event.n_values > 0 ? 0x10000u : 0u);
	if (is_work) {
		for (uint32_t left = event.detail; left > 0; left -= raw.detail, n++) {
			raw.detail = std::min(left, MOST_WORK);
			append(bytes, &raw, sizeof(raw));
		}
		return n;
	}
	raw.detail = what == DO_ENTER ? event.detail : 0;
	append(bytes, &raw, sizeof(raw));
	append_numbers(bytes, event.addresses, event.n_addresses,
		       raw.kind == RAW_SHARED ? 4 : 8);
	append_numbers(bytes, event.addresses + event.n_addresses, event.n_values, event.bytes);
	return 1;
}

/* The allocation that an address is in, as the driver knows it. */
inline bool find_allocation(uint64_t address, Range &range)
{
	typedef int (*Ask)(unsigned long long *, size_t *, unsigned long long);
	unsigned long long base = 0;
	size_t bytes = 0;
	void *function = 0;
#if CUDART_VERSION >= 12050
	cudaDriverEntryPointQueryResult found;

	cudaGetDriverEntryPointByVersion("cuMemGetAddressRange", &function, 12000,
					 cudaEnableDefault, &found);
#elif CUDART_VERSION >= 11030
	cudaGetDriverEntryPoint("cuMemGetAddressRange", &function, cudaEnableDefault);
#endif
	if (!function || ((Ask)function)(&base, &bytes, address) != 0 || bytes == 0)
		return false;
	range = Range(base, bytes);
	return true;
}

inline bool is_in(const std::vector<Range> &ranges, uint64_t address)
{
	for (size_t i = 0; i < ranges.size(); i++)
		if (address - ranges[i].first < ranges[i].second)
			return true;
	return false;
}

/* The program's allocations that the kernel accessed. */
inline std::vector<Range> list_memory(const std::vector<unsigned long long> &units,
				      uint64_t end)
{
	std::vector<Range> ranges, unknown;
	Range range;
	Event event;

	for (uint64_t at = 0; at < end;) {
		at += read_event(&units[at], event);
		for (unsigned i = 0;
		     space_of(event.what) == SPACE_GLOBAL && i < event.n_addresses; i++) {
			uint64_t address = event.addresses[i];

			if (is_in(ranges, address) || is_in(unknown, address))
				continue;
			if (find_allocation(address, range))
				ranges.push_back(range);
			else
				unknown.push_back(Range(address >> 21 << 21, 1 << 21));
		}
	}
	return ranges;
}

inline void write_chunk(File &file, uint32_t kind, uint32_t launch, const void *bytes, size_t n)
{
	RawChunk chunk = {kind, launch, n};

	file.write(&chunk, sizeof(chunk));
	file.write(bytes, n);
}

inline bool write_events(const std::string &folder, unsigned launch, const Listing &listing,
			 const std::string &kernel, const Recorder &recorded,
			 const std::vector<unsigned long long> &units)
{
	char name[32];
	RawHead head = {{'A', 'T', 'O', 'M', 'R', 'A', 'W', 0x1a}, 3, 0};
	RawLaunch raw = {};
	RawEnd end = {0, recorded.n_dropped, 8 * recorded.capacity, 0, 0};
	std::vector<Range> memory = list_memory(units, recorded.end);
	std::vector<char> bytes;
	Event event;

	snprintf(name, sizeof(name), "events-%06u.raw", launch);

	File file(folder, name, "wb");

	file.write(&head, sizeof(head));
	raw.function_pc = FUNCTION_PC;
	memcpy(raw.grid, recorded.grid, sizeof(raw.grid));
	memcpy(raw.block, recorded.block, sizeof(raw.block));
	raw.name_bytes = (uint32_t)kernel.size() + 1;
	append(bytes, &raw, sizeof(raw));
	append(bytes, kernel.c_str(), raw.name_bytes);
	bytes.resize((bytes.size() + 7) / 8 * 8);
	write_chunk(file, CHUNK_LAUNCH, launch - 1, bytes.data(), bytes.size());
	write_chunk(file, CHUNK_MEMORY, launch - 1, memory.data(),
		    memory.size() * sizeof(Range));
	for (uint64_t at = 0; at < recorded.end;) {
		bytes.clear();
		while (at < recorded.end && bytes.size() < 1 << 20) {
			at += read_event(&units[at], event);
			end.n_events += append_event(bytes, listing, event);
		}
		write_chunk(file, CHUNK_EVENTS, launch - 1, bytes.data(), bytes.size());
	}
	end.n_events += recorded.n_dropped;
	write_chunk(file, CHUNK_END, launch - 1, &end, sizeof(end));
	return file.close();
}

inline std::string command_line()
{
	FILE *stream = fopen("/proc/self/cmdline", "r");
	std::string text;
	int c;

	while (stream && (c = fgetc(stream)) != EOF)
		text += c < ' ' ? ' ' : (char)c;
	if (stream)
		fclose(stream);
	return text.substr(0, text.size() - !text.empty());
}

inline bool write_facts(const std::string &folder, const char *gpu)
{
	File file(folder, "facts", "w");
	time_t now = time(0);
	char date[32] = "", cwd[4096] = "";

	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
	if (!getcwd(cwd, sizeof(cwd)))
		cwd[0] = '\0';
	file.print("format\t1\nrecorder\tatomsim_record.cuh\ncommand\t" + command_line() +
		   "\nfolder\t" + cwd + "\ndate\t" + date + "\ncuda\t" +
		   std::to_string(CUDART_VERSION / 1000) + "." +
		   std::to_string(CUDART_VERSION % 1000 / 10) + "\ngpu\t" + gpu + "\n");
	return file.close();
}

/* ---- On the host */

/* How many launches the process recorded to this folder; the folder is made for the first. */
inline bool count_launch(const std::string &folder, unsigned &launch)
{
	static std::map<std::string, unsigned> launches;

	if (!launches.count(folder) && mkdir(folder.c_str(), 0777) != 0)
		return complain("cannot make the folder '%s': %s; allowed: a folder that does "
				"not exist, in one that does",
				folder.c_str(), strerror(errno));
	launch = ++launches[folder];
	return true;
}

/* Writes what the launch left in the GPU's memory. */
inline bool write_launch(const std::string &folder, Recorder &recorded)
{
	std::vector<unsigned long long> units;
	Listing listing = Listing();
	cudaDeviceProp properties;
	std::string kernel;
	unsigned launch;
	int device;

	if (!recorded.kernel)
		return complain("the launch recorded nothing: its kernel must begin with "
				"ATOMSIM_KERNEL, and its blocks must be among those that are "
				"selected");
	if (recorded.n_dropped > 0)
		complain("%llu of %llu events did not fit the buffer of %llu bytes: give "
			 "atomsim::record %llu, or fewer blocks; the launch gets no trace",
			 recorded.n_dropped, recorded.n_events, 8 * recorded.capacity,
			 8 * recorded.cursor);
	recorded.end = std::min(recorded.end, recorded.cursor);
	units.resize(recorded.end + 1);
	if (!good(cudaMemcpy(units.data(), recorded.units, 8 * recorded.end,
			     cudaMemcpyDeviceToHost),
		  "reading the events") ||
	    !read_string(recorded.kernel, kernel) ||
	    !list_sites(units, recorded.end, listing) ||
	    !good(cudaGetDevice(&device), "asking for the GPU") ||
	    !good(cudaGetDeviceProperties(&properties, device), "asking for the GPU"))
		return false;
	return count_launch(folder, launch) && write_facts(folder, properties.name) &&
	       write_listing(folder, launch, listing, kernel,
			     10 * properties.major + properties.minor) &&
	       write_events(folder, launch, listing, kernel, recorded, units) &&
	       recorded.n_dropped == 0;
}

template <class Launch>
bool record(const char *folder, Launch launch, unsigned long long buffer_bytes = 64u << 20,
	    unsigned long long first_block = 0, unsigned long long last_block = ~0ull)
{
	Recorder off = Recorder(), recorded = Recorder();
	bool done;

	recorded.capacity = recorded.end = buffer_bytes / 8;
	recorded.first_block = first_block;
	recorded.last_block = last_block;
	if (!good(cudaMalloc((void **)&recorded.units, buffer_bytes), "taking GPU memory"))
		return false;
	done = good(cudaMemcpyToSymbol(recorder, &recorded, sizeof(recorded)),
		    "starting to record");
	if (done) {
		launch();
		done = good(cudaGetLastError(), "launching the kernel") &&
		       good(cudaDeviceSynchronize(), "the kernel") &&
		       good(cudaMemcpyFromSymbol(&recorded, recorder, sizeof(recorded)),
			    "reading the events");
		done = good(cudaMemcpyToSymbol(recorder, &off, sizeof(off)),
			    "ending to record") &&
		       done;
	}
	done = done && write_launch(folder, recorded);
	cudaFree(recorded.units);
	return done;
}

} // namespace atomsim

#endif
#endif
