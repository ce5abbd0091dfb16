package ptx

// isSpecial reports whether name is a special register or predefined constant of PTX ISA 9.0.
func isSpecial(name string) bool {
	if len(name) < 4 {
		return false
	}
	switch name {
	case "%tid", "%ntid", "%laneid", "%warpid", "%nwarpid", "%ctaid", "%nctaid", "%smid", "%nsmid", "%gridid",
		"%is_explicit_cluster", "%clusterid", "%nclusterid", "%cluster_ctaid", "%cluster_nctaid", "%cluster_ctarank", "%cluster_nctarank",
		"%lanemask_eq", "%lanemask_le", "%lanemask_lt", "%lanemask_ge", "%lanemask_gt",
		"%clock", "%clock_hi", "%clock64", "%globaltimer", "%globaltimer_lo", "%globaltimer_hi",
		"%reserved_smem_offset_begin", "%reserved_smem_offset_end", "%reserved_smem_offset_cap", "%reserved_smem_offset_0", "%reserved_smem_offset_1",
		"%total_smem_size", "%aggr_smem_size", "%dynamic_smem_size", "%current_graph_exec",
		"%pm0", "%pm1", "%pm2", "%pm3", "%pm4", "%pm5", "%pm6", "%pm7",
		"%pm0_64", "%pm1_64", "%pm2_64", "%pm3_64", "%pm4_64", "%pm5_64", "%pm6_64", "%pm7_64",
		"WARP_SZ":
		return true
	}
	const env = "%envreg"
	if len(name) > len(env) && len(name) <= len(env)+2 && name[:len(env)] == env {
		n := 0
		for _, c := range []byte(name[len(env):]) {
			if c < '0' || c > '9' {
				return false
			}
			n = n*10 + int(c-'0')
		}
		return n < 32 && (len(name) == len(env)+1 || name[len(env)] != '0')
	}
	return false
}
