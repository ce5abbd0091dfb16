package dl

// A machine word carries 64-bit values (CUdeviceptr, size_t) through Call, so
// builds for 32-bit processors stop here, with this constant's name.
const purecudaNeedsA64BitProcessor = 1 << 63

var _ uintptr = purecudaNeedsA64BitProcessor
