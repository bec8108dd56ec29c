// Sums of Poisson replicates on a graphics card, from the same weights as on the processor: the
// weight of a case in a replicate is a function of (seed, replicate, case) and nothing else.
//
// A thread owns one word of random bits, which is four neighbouring replicates (lanes). All threads
// of a block walk through the same segment of rows, so what a row is never makes them part ways.
// Sums within a segment are whole numbers of 32 bits: 1,024 rows of weights up to 23 cannot overflow.

typedef unsigned long long u64;
typedef unsigned int u32;
typedef unsigned char u8;

constexpr int WORDS = 16;          // of four lanes each: a block of 64 replicates has one key
constexpr int LANES = 4;           // replicates of a thread
constexpr int STAGED = 256;        // rows held in shared memory at a time
constexpr int UNSURE = 7;          // a weight that takes more bits to decide
constexpr int TABLE = 23;          // ends of the distribution of such weights
constexpr u8 POSITIVE = 1, TIED = 2, LAST_OF_TIE = 4;
constexpr u64 EACH = 0x0001000100010001ULL, HIGH = 0x8000 * EACH;

__constant__ u64 ENDS[UNSURE];     // where the weights 0 to 6 end, in each lane of a word
__constant__ u64 REST_ENDS[TABLE];

__device__ __forceinline__ u64 mixed(u64 z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

constexpr u64 GOLD = 0x9E3779B97F4A7C15ULL, SALT = 0xD1B54A32D192ED03ULL;

struct Weights { u32 of[LANES]; };

// With the top bit of a lane set, taking off a threshold leaves it set if the other 15 bits reach the
// threshold, and never borrows from the next lane. As the thresholds rise, exclusive ors of these bits
// are the binary digits of the number of thresholds reached.
__device__ __forceinline__ Weights drawn(u64 base, int word) {
  u64 z = mixed(base + word * GOLD) | HIGH;
  u64 four = z - ENDS[3], seven = z - ENDS[6];
  u64 two = (z - ENDS[1]) ^ four ^ (z - ENDS[5]);
  u64 odd = (z - ENDS[0]) ^ (z - ENDS[2]) ^ (z - ENDS[4]) ^ two ^ seven;
  u64 all = ((odd >> 15) & EACH) | ((two >> 14) & (2 * EACH)) | ((four >> 13) & (4 * EACH));
  Weights w;
#pragma unroll
  for (int l = 0; l < LANES; ++l) w.of[l] = (u32)(all >> (16 * l)) & 0xFFFF;
  if (seven & HIGH) {
    u64 salted = mixed(base ^ SALT);
#pragma unroll
    for (int l = 0; l < LANES; ++l) {
      if (w.of[l] != UNSURE) continue;
      u64 more = mixed(salted + (u64)(LANES * word + l) * GOLD);
      u32 reached = 0;
      while (reached < TABLE && more >= REST_ENDS[reached]) ++reached;
      w.of[l] = reached;
    }
  }
  return w;
}

// Where a thread stands: its word, the key of its 64 replicates, and its first replicate.
struct Place {
  int word, replicate;
  u64 key;
  __device__ Place(const u64* keys, int blocks) {
    int thread = blockIdx.y * blockDim.x + threadIdx.x, block = thread / WORDS;
    word = thread % WORDS;
    replicate = LANES * thread;
    key = block < blocks ? keys[block] : 0;
  }
};

// Hand each row of a segment to `take(weights, i)`, having staged what all threads read of it.
template <class Take>
__device__ __forceinline__ void walk(const u64* steps, int start, int stop, const Place& at, Take take) {
  __shared__ u64 staged[STAGED];
  for (int first = start; first < stop; first += STAGED) {
    int m = min(STAGED, stop - first);
    __syncthreads();
    for (int i = threadIdx.x; i < m; i += blockDim.x) staged[i] = steps[first + i];
    __syncthreads();
    for (int i = 0; i < m; ++i) take(drawn(at.key + staged[i], at.word), first + i);
  }
}

// What a segment adds to the sums of ranking. Rows of a score that began in a segment before are its
// head, those of one that it does not end are its tail; `ranked` closes these.
struct Segment { u32 tp, fp, concordant, tied, head_p, head_q, tail_p, tail_q; };

extern "C" __global__ void segments(const u64* steps, const u8* kind, const int* edges, const u64* keys,
                                    int blocks, int width, Segment* out) {
  Place at(keys, blocks);
  int start = edges[blockIdx.x], stop = edges[blockIdx.x + 1];
  bool in_head = start > 0 && (kind[start - 1] & TIED) && !(kind[start - 1] & LAST_OF_TIE);
  u32 tp[LANES] = {}, fp[LANES] = {}, concordant[LANES] = {}, tied[LANES] = {};
  u32 p[LANES] = {}, q[LANES] = {}, head_p[LANES] = {}, head_q[LANES] = {};
  walk(steps, start, stop, at, [&](const Weights& w, int i) {
    u8 k = kind[i];
    if (k == 0) {
#pragma unroll
      for (int l = 0; l < LANES; ++l) { concordant[l] += w.of[l] * tp[l]; fp[l] += w.of[l]; }
    } else if (k == POSITIVE) {
#pragma unroll
      for (int l = 0; l < LANES; ++l) tp[l] += w.of[l];
    } else {
      if (k & POSITIVE) {
#pragma unroll
        for (int l = 0; l < LANES; ++l) p[l] += w.of[l];
      } else {
#pragma unroll
        for (int l = 0; l < LANES; ++l) q[l] += w.of[l];
      }
      if (k & LAST_OF_TIE) {
#pragma unroll
        for (int l = 0; l < LANES; ++l) {
          if (in_head) { head_p[l] = p[l]; head_q[l] = q[l]; }
          else { concordant[l] += q[l] * tp[l]; tied[l] += p[l] * q[l]; tp[l] += p[l]; fp[l] += q[l]; }
          p[l] = q[l] = 0;
        }
        in_head = false;
      }
    }
  });
#pragma unroll
  for (int l = 0; l < LANES; ++l) {
    if (at.replicate + l >= width) continue;
    out[(u64)blockIdx.x * width + at.replicate + l] =
        Segment{tp[l], fp[l], concordant[l], tied[l], head_p[l], head_q[l], p[l], q[l]};
  }
}

// What stands before a segment: the weight of each class, and of the score that is still open.
struct Before { double tp, fp, p, q; };

// Put the segments of each replicate together, in order. `ends_head` says of a segment whether it ends
// a score that began before it, `before` may be null.
extern "C" __global__ void ranked(const Segment* parts, const u8* ends_head, int n, int width,
                                  Before* before, double* out) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= width) return;
  u64 tp = 0, fp = 0, concordant = 0, tied = 0, p = 0, q = 0;
  for (int s = 0; s < n; ++s) {
    Segment part = parts[(u64)s * width + r];
    if (before) before[(u64)s * width + r] = Before{(double)tp, (double)fp, (double)p, (double)q};
    if (ends_head[s]) {
      p += part.head_p; q += part.head_q;
      concordant += q * tp; tied += p * q; tp += p; fp += q;
      p = q = 0;
    }
    concordant += part.concordant + (u64)part.fp * tp;
    tied += part.tied; tp += part.tp; fp += part.fp;
    p += part.tail_p; q += part.tail_q;
  }
  concordant += q * tp; tied += p * q; tp += p; fp += q;
  double sums[4] = {(double)tp, (double)fp, (double)concordant, (double)tied};
  for (int i = 0; i < 4; ++i) out[(u64)i * width + r] = sums[i];
}

// Precision at the score of each positive, and the largest gap in pairs, now that all before a segment
// and the totals are known.
extern "C" __global__ void reached(const u64* steps, const u8* kind, const int* edges, const u64* keys,
                                   int blocks, int width, const Before* before, const double* totals,
                                   double* precision, double* gap) {
  Place at(keys, blocks);
  double tp[LANES], fp[LANES], p[LANES], q[LANES], positives[LANES], negatives[LANES];
  double sum[LANES] = {}, largest[LANES] = {};
#pragma unroll
  for (int l = 0; l < LANES; ++l) {
    int r = min(at.replicate + l, width - 1);
    Before b = before[(u64)blockIdx.x * width + r];
    tp[l] = b.tp; fp[l] = b.fp; p[l] = b.p; q[l] = b.q;
    positives[l] = totals[r]; negatives[l] = totals[width + r];
  }
  walk(steps, edges[blockIdx.x], edges[blockIdx.x + 1], at, [&](const Weights& w, int i) {
    u8 k = kind[i];
    bool positive = k & POSITIVE, ends = !(k & TIED) || (k & LAST_OF_TIE);
#pragma unroll
    for (int l = 0; l < LANES; ++l) {
      if (positive) p[l] += w.of[l]; else q[l] += w.of[l];
      if (!ends) continue;
      tp[l] += p[l]; fp[l] += q[l];
      if (p[l] > 0) sum[l] += p[l] * (tp[l] / (tp[l] + fp[l]));
      largest[l] = fmax(largest[l], fabs(tp[l] * negatives[l] - fp[l] * positives[l]));
      p[l] = q[l] = 0;
    }
  });
#pragma unroll
  for (int l = 0; l < LANES; ++l) {
    if (at.replicate + l >= width) continue;
    u64 place = (u64)blockIdx.x * width + at.replicate + l;
    precision[place] = sum[l];
    gap[place] = largest[l];
  }
}

constexpr int TOGETHER = 4;        // losses that are added up in one walk

extern "C" __global__ void loss_sums(const u64* steps, const double* losses, const int* edges,
                                     const u64* keys, int blocks, int width, int columns, double* out) {
  Place at(keys, blocks);
  double sum[TOGETHER][LANES] = {};
  walk(steps, edges[blockIdx.x], edges[blockIdx.x + 1], at, [&](const Weights& w, int i) {
#pragma unroll
    for (int c = 0; c < TOGETHER; ++c) {
      double loss = c < columns ? losses[(u64)i * columns + c] : 0.0;
#pragma unroll
      for (int l = 0; l < LANES; ++l) sum[c][l] += w.of[l] * loss;
    }
  });
  for (int c = 0; c < columns; ++c)
    for (int l = 0; l < LANES; ++l)
      if (at.replicate + l < width)
        out[((u64)blockIdx.x * columns + c) * width + at.replicate + l] = sum[c][l];
}

// Rows stand in the order of their cells, and a segment holds rows of one cell.
extern "C" __global__ void cell_sums(const u64* steps, const int* cell, const int* edges, const u64* keys,
                                     int blocks, int width, u64* out) {
  Place at(keys, blocks);
  u32 sum[LANES] = {};
  int start = edges[blockIdx.x];
  walk(steps, start, edges[blockIdx.x + 1], at, [&](const Weights& w, int) {
#pragma unroll
    for (int l = 0; l < LANES; ++l) sum[l] += w.of[l];
  });
  for (int l = 0; l < LANES; ++l)
    if (at.replicate + l < width) atomicAdd(out + (u64)cell[start] * width + at.replicate + l, (u64)sum[l]);
}
