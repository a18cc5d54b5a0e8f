import { parseSync, traverse } from '@babel/core'
import { transform } from 'esbuild'

const commonJs = ['require', 'module', 'exports', '__filename', '__dirname']
const globals = new Set([...Object.getOwnPropertyNames(globalThis), ...commonJs, 'arguments'])

/**
 * Why a source with the deviations of mutants in it fails as soon as one of them is active: its
 * syntax is wrong, or it uses a name that nothing declares. undefined if neither is so. Takes
 * milliseconds, unlike a check of its types.
 */
export async function findMutantProblem(source: string): Promise<string | undefined> {
  try {
    const { code } = await transform(source, { loader: 'ts', logLevel: 'silent' })
    const unbound = findUnboundNames(code)
    return unbound.length === 0 ? undefined : `nothing declares ${unbound.join(', ')}`
  } catch (error) {
    return (error as Error).message
  }
}

function findUnboundNames(code: string): string[] {
  const names: string[] = []
  const tree = parseSync(code, { configFile: false, babelrc: false })
  if (tree === null) throw new TypeError('Babel returned no syntax tree')
  traverse(tree, {
    Program(path) {
      names.push(...Object.keys(path.scope.globals).filter((name) => !globals.has(name)))
      path.stop()
    },
  })
  return names
}
