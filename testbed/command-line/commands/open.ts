import type { Command } from 'commander'
import { type OpenOptions, openConsolePage } from '../open-console.ts'

export const summary = 'open the console, or one of its pages, in the browser'

export const examples = [
  ['open', 'the console'],
  ['open exchanges', 'its sequence diagram'],
  ['open --print', 'only a one-time link, for another machine or browser'],
] as const

export function configure(command: Command): void {
  command
    .argument('[page]', 'path of a page, such as wallets or exchanges; default: the home page')
    .option('--print', 'print the link, and do not open a browser')
    .option('--data <folder>', 'the data folder of the testbed', '.testbed')
    .action((page: string | undefined, options: OpenOptions) =>
      openConsolePage(`/${(page ?? '').replace(/^\//, '')}`, options),
    )
}
