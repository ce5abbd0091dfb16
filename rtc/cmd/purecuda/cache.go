package main

import "context"

const cacheHelp = `Usage: purecuda cache COMMAND [flags] [STORE]

  stats  [-json] [STORE]         how many entries there are, and of what size
  verify [-fix] [-json] [STORE]  reads every entry and says which are damaged; -fix removes them
  clear  [-y] [STORE]            removes every entry; asks first, unless there is -y
  export FILE [STORE]            writes every entry to one file, for go:embed and cache.LoadArchive,
                                 or for another machine; - is standard output
  import FILE [STORE]            puts what such a file has into a store; - is standard input.
                                 It is code that a GPU will run: take it from whom you take programs

STORE is a folder, a URL (redis://host:6379/0?…, disk:///folder, archive:///file), or a file that
export wrote. Default: the folder that PURECUDA_CACHE names, else purecuda in the user's cache folder.

Exit status: 0 all is well; 1 entries are damaged, or FILE is no whole archive; 2 the command line is
wrong, or names what is not there; 3 the store can't be used.
`

func cacheCommands() []command {
	return []command{
		{name: "stats", run: cacheStats},
		{name: "verify", run: cacheVerify},
		{name: "clear", run: cacheClear},
		{name: "export", run: cacheExport},
		{name: "import", run: cacheImport},
	}
}

func cacheCommand(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return usageError("cache", "no command is given; there are %s", names(cacheCommands()))
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		return errHelp
	}
	c, err := find("cache", cacheCommands(), args[0])
	if err != nil {
		return err
	}
	return c.run(ctx, args[1:])
}
