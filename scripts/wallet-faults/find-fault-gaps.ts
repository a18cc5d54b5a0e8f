import type { CatalogueCheck } from './parse-catalogue.ts'

/** A fault as the fault catalogue has it. */
interface CataloguedFault {
  readonly name: string
  readonly check: string
}

/**
 * Sentences about checks that neither a fault breaks nor a reason excuses, or both, or twice; and
 * about faults that the wallet does not have, or that are catalogued twice.
 */
export function findFaultGaps(
  checks: readonly CatalogueCheck[],
  catalogue: readonly CataloguedFault[],
  faults: readonly string[],
): readonly string[] {
  const broken = new Set(catalogue.map(({ check }) => check))
  const known = new Set(checks.map(({ id }) => id))
  const catalogued = catalogue.map(({ name }) => name)
  return [
    ...checks
      .filter(({ id, reason }) => reason === '' && !broken.has(id))
      .map(({ id }) => `${id}: no fault breaks it, and there is no reason why none could.`),
    ...checks
      .filter(({ id, reason }) => reason !== '' && broken.has(id))
      .map(
        ({ id }) => `${id}: there is a reason why no wallet can break it, and a fault that does.`,
      ),
    ...checks
      .filter(({ id }, index) => checks.findIndex((other) => other.id === id) < index)
      .map(({ id }) => `${id}: it stands in the catalogue twice.`),
    ...catalogue
      .filter(({ check }) => !known.has(check))
      .map(({ name, check }) => `${name}: the catalogue does not know the check ${check}.`),
    ...catalogued
      .filter((name) => !faults.includes(name))
      .map((name) => `${name}: it is in the fault catalogue, but the wallet has no such fault.`),
    ...catalogued
      .filter((name, index) => catalogued.indexOf(name) < index)
      .map((name) => `${name}: it stands in the fault catalogue twice.`),
  ]
}
