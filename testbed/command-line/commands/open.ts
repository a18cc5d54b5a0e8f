import type { Command } from 'commander'
import { didYouMean } from '#core/text/find-nearest.ts'
import { wrongUsage } from '#scenarios/errors.ts'
import { sections } from '#testbed/console/frame/sections.ts'
import { type OpenOptions, openConsolePage } from '../open-console.ts'

export const summary = 'open the console, or one of its pages, in the browser'

export const examples = [
  ['open', 'the console'],
  ['open exchanges', 'the live exchanges, as a sequence diagram'],
  ['open --print', 'only a one-time link, for another machine or browser'],
] as const

export function configure(command: Command): void {
  command
    .argument('[page]', 'path of a page, such as wallets or exchanges; default: the home page')
    .option('--print', 'print the link instead of opening a browser')
    .option('--data <folder>', 'the data folder of the testbed', '.testbed')
    .action((page: string | undefined, options: OpenOptions) =>
      openConsolePage(pathOf(page?.replace(/^\//, '') ?? ''), options),
    )
}

const pages = [...sections.map(({ path }) => path.slice(1)), 'docs']

function pathOf(page: string): string {
  const [first = ''] = page.split(/[/?#]/, 1)
  // Without a first segment, `//host` would lead to another origin.
  const isPage = pages.includes(first) && !page.startsWith('/')
  if (isPage || first === 'runs') return `/${page}`
  const hints = didYouMean(first, pages)
  const all = `The pages are ${pages.filter(Boolean).join(', ')}.`
  throw wrongUsage(`The console has no page "${first || page}".`, [...hints, all])
}
