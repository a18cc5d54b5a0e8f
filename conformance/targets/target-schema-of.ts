import type { z } from 'zod'
import type { PlanName } from '../kit/check.ts'

/** `did-registry` as in `zDidRegistryTarget`. */
const schemaNameOf = (plan: PlanName) =>
  `z-${plan}-target`.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/**
 * What a target of a plan has to look like: `plans/PLAN/z-target.ts`.
 * @throws TypeError where that file holds no schema
 */
export async function targetSchemaOf(plan: PlanName): Promise<z.ZodType> {
  const module = await import(`../plans/${plan}/z-target.ts`)
  const name = schemaNameOf(plan)
  const schema = module[name] as z.ZodType | undefined
  if (!schema) throw new TypeError(`plans/${plan}/z-target.ts must export ${name}`)
  return schema
}
