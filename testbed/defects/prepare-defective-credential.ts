import { z } from 'zod'
import { findDefect } from '#conformance/world/defects/create-credential-with-defect.ts'
import { zMandate } from '#core/lear-credential/lear-credential.ts'
import type { PrepareCredential } from '#services/connector/dependencies.ts'
import type { EnvironmentContext } from '../compose/environment-context.ts'
import { createDefectiveCredential } from './create-defective-credential.ts'

/** What a defective credential is made from once a wallet collects it, kept with its offer. */
export const zDefectRecipe = z.object({
  defect: z.string(),
  mandate: zMandate,
  /** Where it was made beforehand: the holder it was made for, and the credential itself. */
  made: z.object({ holderDid: z.string(), credential: z.string() }).optional(),
  revokedStatus: z.looseObject({}).optional(),
})

export type DefectRecipe = z.infer<typeof zDefectRecipe>

/**
 * How a connector comes by the defective credential of an offer: what was made for a named holder is
 * for that one alone, otherwise it is made for whoever collects it.
 */
export function prepareDefectiveCredential(context: EnvironmentContext): PrepareCredential {
  return async (recipe, holderDid) => {
    const { defect: name, made, mandate, revokedStatus } = zDefectRecipe.parse(JSON.parse(recipe))
    if (made) return made.holderDid === holderDid ? made.credential : undefined
    const defect = findDefect(name)
    return (
      defect && createDefectiveCredential(context, { defect, holderDid, mandate, revokedStatus })
    )
  }
}
