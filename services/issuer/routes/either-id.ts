import { z } from 'zod'

interface Ids {
  readonly subject_id?: string | undefined
  readonly credential_id?: string | undefined
}

/** A record is named by its subject or by its credential. */
export const hasId = ({ subject_id, credential_id }: Ids) =>
  (subject_id ?? credential_id) !== undefined

export const missingId = {
  path: ['subject_id'],
  message: 'subject_id or credential_id is needed',
}

/** The same for the documentation. */
export function eitherId<
  Shape extends { readonly subject_id: z.ZodOptional; readonly credential_id: z.ZodOptional },
>(members: z.ZodObject<Shape, z.core.$loose>) {
  const { subject_id, credential_id } = members.shape
  return z.intersection(
    members,
    z.union([
      z.looseObject({ subject_id: subject_id.unwrap() }),
      z.looseObject({ credential_id: credential_id.unwrap() }),
    ]),
  )
}
