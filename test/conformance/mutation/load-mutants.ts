import type { PlanName } from '#conformance/kit/check.ts'
import type { LoadedMutant, MutantTable, Patch } from '#conformance/kit/mutant.ts'

/**
 * The mutants of a plan in the order of their checks, from its `mutants.ts`.
 * @throws TypeError for one without any deviation
 */
export async function loadMutants(plan: PlanName): Promise<LoadedMutant[]> {
  const { mutants }: { mutants: MutantTable } = await import(
    `#conformance/plans/${plan}/mutants.ts`
  )
  return Object.entries(mutants).map(([name, mutant]) => {
    const { deviation, ignoresRules = [] } = mutant
    const all = patchesOf(mutant)
    if (ignoresRules.length + all.length === 0) {
      throw new TypeError(`${plan}: the mutant ${name} deviates in nothing`)
    }
    const check = name.slice(0, name.indexOf('-'))
    const contract = all.filter(({ file }) => file.endsWith('.sol'))
    const patches = all.filter((patch) => !contract.includes(patch))
    const loaded = { name, check, plan, deviation, ignoresRules, patches }
    return contract.length > 0 ? { ...loaded, contract } : loaded
  })
}

/** The patches of a mutant one by one, of all files. */
function patchesOf(mutant: MutantTable[keyof MutantTable]): Patch[] {
  const { patches = [] } = mutant
  const written = 'file' in mutant ? [mutant, ...patches] : patches
  return written.flatMap((patch) =>
    'edits' in patch ? patch.edits.map((edit) => ({ file: patch.file, edit })) : [patch],
  )
}
