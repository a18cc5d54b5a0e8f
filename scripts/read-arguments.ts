import { type ParseArgsConfig, parseArgs } from 'node:util'

/** Reads the arguments of a script. `--help` prints its usage; wrong usage ends it with code 2. */
export function readArguments<const T extends ParseArgsConfig>(
  usage: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  if (process.argv.includes('--help')) {
    console.log(usage)
    process.exit(0)
  }
  try {
    return parseArgs(config)
  } catch (error) {
    return exitWithUsage(usage, (error as Error).message)
  }
}

/** Ends a script that was called incorrectly, with code 2. */
export function exitWithUsage(usage: string, problem: string): never {
  console.error(`${problem}\n\n${usage}`)
  process.exit(2)
}
