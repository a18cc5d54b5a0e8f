import { accreditationDefects } from './accreditation-defects.ts'
import { contentDefects } from './content-defects.ts'
import type { Defect } from './defect.ts'
import { periodDefects } from './period-defects.ts'
import { signatureDefects } from './signature-defects.ts'
import { statusDefects } from './status-defects.ts'

/** Every defect that a credential can be ordered with; names stay as they are. */
export const allDefects: readonly Defect[] = [
  ...contentDefects,
  ...periodDefects,
  ...signatureDefects,
  ...accreditationDefects,
  ...statusDefects,
]

export function findDefect(name: string): Defect | undefined {
  return allDefects.find((defect) => defect.name === name)
}
