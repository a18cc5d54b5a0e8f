import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const imports = /^import \{[^}]*\} from '\.\/([\w-]+\.js)'\n/gm

/**
 * The page's script in one piece: the modules of `browser/`, each once and after what it imports. A
 * page that is one file has no address to import from, so their imports and exports are left out;
 * names at their top level are therefore unique among them.
 */
function joinModules(file: string, joined = new Set<string>()): string {
  if (joined.has(file)) return ''
  joined.add(file)
  const source = readFileSync(join(import.meta.dirname, 'browser', file), 'utf8')
  const before = [...source.matchAll(imports)].map(([, imported = '']) =>
    joinModules(imported, joined),
  )
  return [...before, source.replace(imports, '').replace(/^export /gm, '')].join('')
}

let script: string | undefined

/** Script of the report: draws scenarios when they are opened, filters, and goes to what is asked for. */
export function readPageScript(): string {
  script ??= joinModules('main.js')
  return script
}
