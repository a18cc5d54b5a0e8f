import type { PlanName } from '#conformance/kit/check.ts'
import type { LoadedMutant, MutantTable } from '#conformance/kit/mutant.ts'

/**
 * The mutants of a plan in the order of their checks, from its `mutants.ts`.
 * @throws TypeError for one without any deviation
 */
export async function loadMutants(plan: PlanName): Promise<LoadedMutant[]> {
  const { mutants }: { mutants: MutantTable } = await import(
    `#conformance/plans/${plan}/mutants.ts`
  )
  return Object.entries(mutants).map(([name, mutant]) => {
    const { deviation, ignoresRules = [], contract } = mutant
    const patches = 'file' in mutant ? [mutant] : (mutant.patches ?? [])
    if (ignoresRules.length + patches.length + (contract?.length ?? 0) === 0) {
      throw new TypeError(`${plan}: the mutant ${name} deviates in nothing`)
    }
    const check = name.slice(0, name.indexOf('-'))
    return { name, check, plan, deviation, ignoresRules, patches, ...(contract && { contract }) }
  })
}
