import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PlanName } from '#conformance/kit/check.ts'
import { root } from '#test/support/repository.ts'
import { placeContractMutants } from './contract-mutants.ts'
import { placeMutants } from './instrument-code.ts'

const kinds = ['equivalent', 'not observable'] as const

/** A mutant that no check can detect, as two people agreed. */
export interface ExcludedMutant {
  /** Its id changes with the file, the function, the code and the replacement, not with the line. */
  readonly id: string
  readonly file: string
  /** `equivalent`: nothing changes. `not observable`: nothing changes that is visible outside. */
  readonly kind: (typeof kinds)[number]
  readonly why: string
}

const heading = 'id\tfile\tkind\twhy'

/**
 * The excluded mutants of a plan, from `conformance/plans/PLAN/excluded-mutants.tsv`. The IDP's
 * plan presents what the verifier's plan presents, so that what changes nothing there in core changes
 * nothing here.
 * @throws TypeError for a row that is incomplete or listed twice
 */
export function readExcludedMutants(plan: PlanName): ExcludedMutant[] {
  const own = readRows(plan)
  if (plan !== 'idp') return own
  const listed = new Set(own.map(({ id }) => id))
  return [
    ...own,
    ...readRows('verifier').filter(({ id, file }) => file.startsWith('core/') && !listed.has(id)),
  ]
}

function readRows(plan: PlanName): ExcludedMutant[] {
  const path = join(root, 'conformance', 'plans', plan, 'excluded-mutants.tsv')
  return existsSync(path) ? parseExcludedMutants(readFileSync(path, 'utf8')) : []
}

/** @throws TypeError for a row that is incomplete or listed twice */
export function parseExcludedMutants(text: string): ExcludedMutant[] {
  const [first, ...rows] = text.trimEnd().split('\n')
  if (first !== heading) throw new TypeError(`The heading is not ${JSON.stringify(heading)}.`)
  const seen = new Set<string>()
  return rows.map((row) => {
    const [id = '', file = '', kindText, why = '', ...others] = row.split('\t')
    const kind = kinds.find((each) => each === kindText)
    const isComplete = /^[0-9a-f]{8}$/.test(id) && file !== '' && kind && why.length >= 20
    if (!isComplete || others.length > 0) throw new TypeError(`Not a valid row: ${row}`)
    if (seen.has(id)) throw new TypeError(`${id} is listed twice.`)
    seen.add(id)
    return { id, file, kind, why }
  })
}

/** Excluded mutants that no operator makes any more, because their code changed. */
export async function findStaleExclusions(
  excluded: readonly ExcludedMutant[],
): Promise<ExcludedMutant[]> {
  const files = [...new Set(excluded.map(({ file }) => file))]
  const existing = files.filter((file) => existsSync(join(root, file)))
  const isContract = (name: string) => name.endsWith('.sol')
  const contracts = existing.filter(isContract)
  const contents = existing
    .filter((name) => !isContract(name))
    .map((name) => ({ name, content: readFileSync(join(root, name), 'utf8') }))
  const ofSources = await placeMutants(contents)
  const ofContracts = contracts.length > 0 ? placeContractMutants(contracts) : []
  const mutants = [...ofSources.mutants, ...ofContracts]
  const known = new Set(mutants.map(({ id, file }) => `${file} ${id}`))
  return excluded.filter(({ id, file }) => !known.has(`${file} ${id}`))
}
