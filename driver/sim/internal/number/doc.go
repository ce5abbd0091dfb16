// Package number is the arithmetic of the simulated CUDA device: what one thread's
// PTX instruction does to its operands, exact to the bit where NVIDIA's hardware
// (sm_70 to sm_90) is exact.
//
// Every function is pure, allocates nothing and works on plain machine types: float32
// and float64 hold .f32 and .f64 with their NaN bits, uint16 holds .f16 and .bf16,
// uint32 holds the packed .f16x2 and .bf16x2, and integers hold integers. The manual
// is NVIDIA's "Parallel Thread Execution ISA", chapter 9.7.
//
// # Modifiers
//
// An instruction is a function and what its modifiers do around it:
// add.rz.ftz.sat.f32 is SatF32(FTZ32(AddF32RZ(FTZ32(a), FTZ32(b)))). Where a product, a quotient
// or a conversion is rounded, .ftz needs to know of what: FlushMulF32 and its like stand for
// FTZ32 of the result there.
//
//	.ftz        FTZ32, FTZ16, FTZ16x2, FTZBF16: on each operand and on the result
//	.sat        SatF32, SatF64, SatF16, SatF16x2
//	.relu       ReluF16, ReluBF16, ReluF16x2, ReluBF16x2, ReluTF32, ReluFP8, ReluFP8x2, Relu, ReluS16x2
//	.satfinite  FiniteF16, FiniteBF16, FiniteTF32; part of the conversions to fp8
//
// # Floating point
//
// A suffix stands for the rounding, none for .rn. The type Rounding (RN, RZ, RM, RP)
// is an argument where all modes share a function.
//
//	add.f32   AddF32 AddF32RZ AddF32RM AddF32RP     add.f64   AddF64 AddF64RZ AddF64RM AddF64RP
//	sub.f32   SubF32 SubF32RZ SubF32RM SubF32RP     sub.f64   SubF64 SubF64RZ SubF64RM SubF64RP
//	mul.f32   MulF32 MulF32RZ MulF32RM MulF32RP     mul.f64   MulF64 MulF64RZ MulF64RM MulF64RP
//	fma.f32   FMAF32 FMAF32RZ FMAF32RM FMAF32RP     fma.f64   FMAF64 FMAF64RZ FMAF64RM FMAF64RP
//	div.f32   DivF32 DivF32RZ DivF32RM DivF32RP     div.f64   DivF64 DivF64RZ DivF64RM DivF64RP
//	rcp.f32   RcpF32 RcpF32RZ RcpF32RM RcpF32RP     rcp.f64   RcpF64 RcpF64RZ RcpF64RM RcpF64RP
//	sqrt.f32  SqrtF32 SqrtF32RZ SqrtF32RM SqrtF32RP sqrt.f64  SqrtF64 SqrtF64RZ SqrtF64RM SqrtF64RP
//	fma.rn.f32 of a whole warp   FMAF32Lanes
//	.ftz of mul, fma, div and rcp   FlushMulF32 FlushFMAF32 FlushDivF32
//	mul.ftz.f16, fma.ftz.f16    MulFTZF16 MulFTZF16x2 FMAFTZF16 FMAFTZF16x2
//	atom.global.add.f64         AtomAddF64; atom.shared.add.f64 is AddF64(x, old)
//
//	abs, neg                    AbsF32 NegF32 AbsF64 NegF64
//	min, max                    MinF32 MaxF32 MinF64 MaxF64
//	min.NaN, max.NaN            MinNaNF32 MaxNaNF32
//	{min,max}.xorsign.abs       MinXorSignF32 MaxXorSignF32
//	{min,max}.NaN.xorsign.abs   MinNaNXorSignF32 MaxNaNXorSignF32
//	copysign                    CopySignF32 CopySignF64
//	testp                       FiniteF32 InfiniteF32 NormalF32 SubnormalF32 FiniteF64 InfiniteF64 NormalF64 SubnormalF64
//	setp, set                   Ne Equ Neu Ltu Leu Gtu Geu Num Nan; SetB32 SetB16 SetF32 SetF16 SetBF16
//	slct                        SlctS32 SlctF32
//
// Approximations, within the manual's bounds:
//
//	ex2.approx{.ftz}.f32     Ex2Approx Ex2ApproxFTZ
//	lg2.approx{.ftz}.f32     Lg2Approx Lg2ApproxFTZ
//	rcp.approx{.ftz}.f32     RcpApprox RcpApproxFTZ
//	sqrt.approx{.ftz}.f32    SqrtApprox SqrtApproxFTZ
//	rsqrt.approx{.ftz}.f32   RsqrtApprox RsqrtApproxFTZ
//	sin.approx{.ftz}.f32     SinApprox SinApproxFTZ
//	cos.approx{.ftz}.f32     CosApprox CosApproxFTZ
//	tanh.approx.f32          TanhApprox
//	div.approx{.ftz}.f32     DivApprox DivApproxFTZ
//	div.full{.ftz}.f32       DivFull DivFullFTZ
//	rcp.approx.ftz.f64       RcpApproxFTZF64
//	rsqrt.approx{.ftz}.f64   RsqrtApproxF64 RsqrtApproxFTZF64
//	ex2.approx.f16{x2}       Ex2ApproxF16 Ex2ApproxF16x2
//	ex2.approx.ftz.bf16{x2}  Ex2ApproxBF16 Ex2ApproxBF16x2
//	tanh.approx.{f16,bf16}   TanhApproxF16 TanhApproxF16x2 TanhApproxBF16 TanhApproxBF16x2
//
// Half precision. Lanes1, Lanes2 and Lanes3 make the packed form of any other.
//
//	add.f16    AddF16 AddF16x2 AddBF16 AddBF16x2     sub.f16   SubF16 SubF16x2 SubBF16 SubBF16x2
//	mul.f16    MulF16 MulF16x2 MulBF16 MulBF16x2     fma.f16   FMAF16 FMAF16x2 FMABF16 FMABF16x2
//	neg.f16    NegF16 NegF16x2 NegBF16 NegBF16x2     abs.f16   AbsF16 AbsF16x2 AbsBF16 AbsBF16x2
//	min.f16    MinF16 MinF16x2 MinBF16 MinBF16x2     max.f16   MaxF16 MaxF16x2 MaxBF16 MaxBF16x2
//	{min,max}.NaN               MinNaNF16 MaxNaNF16 MinNaNBF16 MaxNaNBF16
//	{min,max}.xorsign.abs       MinXorSignF16 MaxXorSignF16 MinXorSignBF16 MaxXorSignBF16
//	{min,max}.NaN.xorsign.abs   MinNaNXorSignF16 MaxNaNXorSignF16 MinNaNXorSignBF16 MaxNaNXorSignBF16
//	mov.b32 d, {a, b}           Pack16
//
// # Conversions
//
//	cvt.rnd.f32.f64             F32FromF64 F32FromF64RZ F32FromF64RM F32FromF64RP
//	cvt.rnd.ftz.f32.f64         FlushF32 of the same
//	cvt.f64.f32, cvt.ftz.f64.f32  F64FromF32 F64FTZFromF32
//	cvt.f16.f16, cvt.ftz.f32.f32  CvtF16 F32FTZFromF32
//	cvt.rnd.f16.f32             F16FromF32 F16FromF32RZ F16FromF32RM F16FromF32RP
//	cvt.rnd.bf16.f32            BF16FromF32 BF16FromF32RZ BF16FromF32RM BF16FromF32RP
//	cvt.rnd.{f16,bf16}.f64      F16FromF64 BF16FromF64
//	cvt.{f32,f64}.{f16,bf16}    F32FromF16 F32FromBF16 F64FromF16 F64FromBF16
//	cvt.{rn,rz,rna}.tf32.f32    TF32FromF32 TF32FromF32RZ TF32FromF32RNA
//	cvt.{rni,rzi,rmi,rpi}       RniF32 RziF32 RmiF32 RpiF32 RoundF32 RniF64 RziF64 RmiF64 RpiF64 RoundF64 RoundF16 RoundBF16
//	cvt.rzi.s*.f32              S8FromF32 S16FromF32 S32FromF32 S64FromF32; the other modes round first
//	cvt.rzi.u*.f32              U8FromF32 U16FromF32 U32FromF32 U64FromF32
//	cvt.rzi.s*.f64              S8FromF64 S16FromF64 S32FromF64 S64FromF64
//	cvt.rzi.u*.f64              U8FromF64 U16FromF64 U32FromF64 U64FromF64
//	cvt.rn.f32.{s*,u*}          F32FromS32 F32FromU32 F32FromS64 F32FromU64; 8 and 16 bits are extended first
//	cvt.rnd.f32.{s*,u*}         F32FromS32To F32FromU32To F32FromS64To F32FromU64To
//	cvt.rnd.f64.{s*,u*}         F64FromS64 F64FromU64 F64FromS64To F64FromU64To; smaller ones are exact
//	cvt.rnd.{f16,bf16}.{s*,u*}  F16FromS64 F16FromU64 BF16FromS64 BF16FromU64
//	cvt.sat of integers         Clamp
//	cvt.pack.sat                CvtPack
//	cvt to e4m3x2, e5m2x2       E4M3FromF32 E5M2FromF32 E4M3x2FromF32 E5M2x2FromF32 E4M3x2FromF16x2 E5M2x2FromF16x2
//	cvt from e4m3x2, e5m2x2     F16FromE4M3 F16FromE5M2 F16x2FromE4M3x2 F16x2FromE5M2x2
//
// # Integers and bits
//
// What Go's operators do is not here, but for shifts.
//
//	div, rem, abs, sad, cnot    Div Rem Abs Sad CNot
//	add.sat, sub.sat            AddSatS32 SubSatS32
//	mul.hi                      MulHiS16 MulHiU16 MulHiS32 MulHiU32 MulHiS64 MulHiU64
//	mad.hi.sat.s32              MadHiSatS32 Mad24HiSatS32
//	mul24, mad24                Mul24LoS32 Mul24LoU32 Mul24HiS32 Mul24HiU32
//	add.cc, addc                AddCarry32 AddCarry64
//	sub.cc, subc                SubCarry32 SubCarry64
//	mad.lo.cc, madc.lo          MadLoCarry32 MadLoCarry64
//	mad.hi.cc, madc.hi          MadHiCarryU32 MadHiCarryS32 MadHiCarryU64 MadHiCarryS64
//	dp4a                        Dp4aUU Dp4aSS Dp4aSU Dp4aUS
//	dp2a                        Dp2aUU Dp2aSS Dp2aSU Dp2aUS
//	add, min, max of 16x2       AddX2 MinU16x2 MaxU16x2 MinS16x2 MaxS16x2
//	bfe, bfi                    BfeU32 BfeS32 BfeU64 BfeS64 BfiB32 BfiB64
//	bfind                       BfindU32 BfindS32 BfindU64 BfindS64 BfindShift
//	brev, clz, popc, fns        Brev32 Brev64 Clz32 Clz64 Popc32 Popc64 Fns
//	bmsk, szext                 BmskClamp BmskWrap SzextClampU32 SzextClampS32 SzextWrapU32 SzextWrapS32
//	prmt                        Prmt PrmtF4E PrmtB4E PrmtRC8 PrmtECL PrmtECR PrmtRC16
//	shf, shl, shr               ShfLClamp ShfLWrap ShfRClamp ShfRWrap Shl Shr
//	lop3                        Lop3
//	vadd, vsub, vabsdiff, vmin, vmax, vset, vshl, vshr   methods of Video: VAdd VSub VAbsDiff VMin VMax VSet VShl VShr
//	vmad                        VideoMad.VMad
//	vadd2, vadd4, ...           methods of VideoLanes: VAdd VSub VAvrg VAbsDiff VMin VMax VSet; DefaultLanes
//
// # What the manual leaves open
//
// What an H200 (driver 580.159.04, 2026-11-30) does, held by driver/sim/internal/golden:
//
//   - In single precision and below every result that is a NaN is the canonical one, that of abs
//     and neg too; mov, selp, copysign and cvt.f32.f32 hand bits on.
//   - In double precision a NaN that goes in comes out, made quiet, with its sign also in abs and
//     neg: of a × b + c it is b, else c, else a; of a sum and a product the second operand, else the first; of
//     div the first, of min and max the second. An invalid operation makes 0xfff8000000000000.
//     atom.add.f64 in global memory gives its operand, else what was there, and makes nothing quiet.
//   - cvt.f64.f32, cvt.f64.f16, cvt.f64.bf16 and cvt to f32, f16 and bf16 from f64 keep the sign and what there is room
//     for of the payload, made quiet; cvt.f32.bf16 the bits; cvt.f32.f16, cvt.f16.f16 and cvt.ftz.f32.f32
//     give the canonical NaN, cvt.tf32 0x7fffe000, cvt.rna.tf32 the bits without the last 13.
//   - A NaN in double precision converted to an integer gives what only the top bit set stands for,
//     in 8 and 16 bits too. To e4m3 and e5m2 it is 0x7f.
//   - .ftz makes zero of a result that only rounding to a subnormal brings up to the least normal number. In
//     cvt.ftz.f16.f32 it does nothing. atom.add.f32 flushes in global memory and not in shared memory.
//   - -0 under .relu and .sat is +0. min.xorsign.abs with one NaN operand has its sign, too.
//   - div.approx by a subnormal number without .ftz is within 2 ulp, too; by more than 2^126 it gives
//     zero, or a NaN for an infinite dividend.
//   - rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 leave the lower word zero; the upper one may be off by one.
//   - sin.approx and cos.approx take the angle in steps, 2^25 to the turn.
//   - After sub.cc the flag is a carry, and not the borrow that the manual has: addc adds one where sub.cc borrowed nothing.
//   - Integer division and remainder by zero: all ones.
//   - bfe and bfi of 64 bits take all bits of position and length, those of 32 bits eight. fns with the least
//     offset gives 0.
//
// # What only hardware can settle
//
//   - .ftz of a result between the greatest number below 2^-126 that has 24 bits and 2^-126: here it rounds as if there
//     were no least exponent, which the answers agree with and do not prove; for conversions ptxas's code shows it.
//     The forms "around the least" of driver/sim/internal/golden ask; they are not recorded yet.
//   - .approx results in their last places.
//   - All of this on compute capability 7.0 to 8.9.
package number
