import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Links of a page to files beside it that are not there. */
export function findDeadLinks(path: string): string[] {
  const links = readFileSync(path, 'utf8').matchAll(/\]\(([^):]+)\)/g)
  return [...links]
    .map(([, link = '']) => link)
    .filter((link) => !existsSync(join(dirname(path), link)))
}
