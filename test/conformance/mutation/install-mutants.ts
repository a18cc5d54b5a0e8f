import { registerHooks } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LoadedMutant, Patch } from './mutant.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Where patched sources look which mutant is active: they can't import anything. */
const register = 'testbed.active-mutant'
const active = `globalThis[Symbol.for(${JSON.stringify(register)})]`

/** The seam of all mutants that ignore rules. */
const ruleEngine: Patch = {
  file: 'core/verification/evaluate-rules.ts',
  find: 'const notes: string[] = []',
  replace: `if (${active}?.ignoresRules?.includes(rule)) continue; const notes: string[] = []`,
}

/** Switches between the correct part and its mutants. */
export interface MutantSwitch {
  /** Makes one of them the active one; none where it is left out. */
  activate(mutant?: LoadedMutant): void
}

/**
 * From now on sources are loaded with the deviations of all these mutants in them, each behind a
 * condition, so that one process and one running system can be every mutant by turns and production
 * code holds no switches. Has to come before the first import of what it changes.
 * @throws TypeError, when the file is loaded, for text that is not there exactly once
 */
export function installMutants(mutants: readonly LoadedMutant[]): MutantSwitch {
  const patches = new Map<string, { patch: Patch; name: string }[]>([
    [ruleEngine.file, [{ patch: ruleEngine, name: 'the rule engine' }]],
  ])
  for (const { name, patches: own = [] } of mutants) {
    for (const patch of own) {
      const { file, replace } = patch
      if (!/\bisMutant\b/.test(replace)) {
        throw new TypeError(`${name}: the replacement in ${file} does not ask isMutant`)
      }
      patches.set(file, [...(patches.get(file) ?? []), { patch, name }])
    }
  }
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (!url.startsWith('file:') || loaded.source === undefined) return loaded
      const file = relative(root, fileURLToPath(url)).replaceAll('\\', '/')
      const own = patches.get(file)
      if (own === undefined) return loaded
      let source = String(loaded.source)
      if (typeof loaded.source !== 'string') source = new TextDecoder().decode(loaded.source)
      for (const each of own) source = applyPatch(source, each.patch, each.name)
      return { ...loaded, source }
    },
  })
  return {
    activate(mutant) {
      const state = mutant && { name: mutant.name, ignoresRules: mutant.ignoresRules ?? [] }
      Object.assign(globalThis, { [Symbol.for(register)]: state })
    },
  }
}

/** @throws TypeError for text that is not there exactly once */
export function applyPatch(source: string, { file, find, replace }: Patch, name: string): string {
  const count = source.split(find).length - 1
  if (count !== 1) {
    throw new TypeError(`${name}: ${file} holds the text ${count} times, once is due:\n${find}`)
  }
  const condition = `(${active}?.name === ${JSON.stringify(name)})`
  const text = replace.replaceAll(/\bisMutant\b/g, () => condition)
  return source.replace(find, () => text)
}
