import { findDefect } from '../../../world/defects/create-credential-with-defect.ts'
import type { Defect } from '../../../world/defects/defect.ts'

/** @throws TypeError where there is no defect of this name */
export function defectNamed(name: string): Defect {
  const defect = findDefect(name)
  if (defect === undefined) throw new TypeError(`There is no defect ${name}`)
  return defect
}
