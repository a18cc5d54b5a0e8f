import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Ids in a page, and what GitHub makes of its headings: `The chain's RPC` is `the-chains-rpc`. */
function anchorsOf(page: string): string[] {
  const text = readFileSync(page, 'utf8')
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
  return [...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)]
}

/** Returns the links of a page to missing files or headings. */
export function findDeadLinks(path: string): string[] {
  const links = readFileSync(path, 'utf8').matchAll(/\]\(([^):]+)\)/g)
  return [...links]
    .map(([, link = '']) => link)
    .filter((link) => {
      const [file = '', anchor] = link.split('#')
      const page = file === '' ? path : join(dirname(path), file)
      if (!existsSync(page)) return true
      return anchor !== undefined && page.endsWith('.md') && !anchorsOf(page).includes(anchor)
    })
}
