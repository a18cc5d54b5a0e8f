import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { productFolders, resolveImport } from './architecture-rules.ts'

const folders = [...productFolders, 'bench', 'scripts', 'test']

/** Cycles of files that import each other, imports of types included; each cycle sorted by name. */
export function findImportCycles(root: string): readonly (readonly string[])[] {
  const files = globSync(`{${folders.join(',')}}/**/*.{ts,mts,mjs}`, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.includes('node_modules/'))
    .sort()
  return findCycles(new Map(files.map((file) => [file, readImports(root, file)])))
}

function readImports(root: string, file: string): readonly string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), 'utf8'), true, true)
  return importedFiles
    .map(({ fileName }) => resolveImport(file, fileName))
    .filter((target) => target !== undefined)
    .filter((target) => existsSync(join(root, target)))
}

/** The strongly connected components of more than one file, by Tarjan's algorithm. */
function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (file: string): void => {
    const number = order.size
    order.set(file, number)
    lowest.set(file, number)
    stack.push(file)
    for (const target of graph.get(file) ?? []) {
      if (!order.has(target)) visit(target)
      if (!stack.includes(target)) continue
      lowest.set(file, Math.min(lowest.get(file) ?? 0, lowest.get(target) ?? 0))
    }
    if (lowest.get(file) !== number) return
    const component = stack.splice(stack.indexOf(file))
    if (component.length > 1 || graph.get(file)?.includes(file)) cycles.push(component.sort())
  }
  for (const file of graph.keys()) visit(file)
  return cycles
}
