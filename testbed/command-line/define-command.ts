import type { Command } from 'commander'

/**
 * What a file in `commands/` exports; its name is the command's. To add a command, add a file.
 * The file is loaded only when its command runs, or for the general help.
 */
export interface CommandModule {
  readonly summary: string
  /**
   * Adds arguments, options and the action. An action sets `process.exitCode` where the result is
   * not 0, prints data to stdout and talk to stderr, and throws a TestbedError for what people
   * have to know.
   */
  configure(command: Command): void
}
