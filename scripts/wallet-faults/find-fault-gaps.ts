import type { WalletFault } from '#wallet-emulator/faults/wallet-fault.ts'
import type { CatalogueCheck } from './parse-catalogue.ts'

/** Sentences about checks that neither a fault breaks nor a reason excuses, or both, or twice. */
export function findFaultGaps(
  checks: readonly CatalogueCheck[],
  faults: readonly Pick<WalletFault, 'name' | 'check'>[],
): readonly string[] {
  const broken = new Set(faults.map(({ check }) => check))
  const known = new Set(checks.map(({ id }) => id))
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
    ...faults
      .filter(({ check }) => !known.has(check))
      .map(({ name, check }) => `${name}: the catalogue does not know the check ${check}.`),
  ]
}
