import { z } from 'zod'

/** The two forms of an entry: W3C's recommendation, and its predecessor for older wallets. */
export const statusEntryTypes = ['BitstringStatusListEntry', 'StatusList2021Entry'] as const

export type StatusEntryType = (typeof statusEntryTypes)[number]

const zIndex = z
  .union([z.string().regex(/^\d{1,9}$/), z.int().nonnegative()])
  .transform((index) => Number(index))

/** `credentialStatus` of a credential that can be revoked; the index is text in the specification. */
export const zStatusEntry = z.looseObject({
  id: z.string().optional(),
  type: z.enum(statusEntryTypes),
  statusPurpose: z.string(),
  statusListIndex: zIndex,
  statusListCredential: z.string().max(2048),
})

/** The payload of a status list credential, a JWT credential as the others. */
export const zStatusListCredential = z.looseObject({
  iss: z.string(),
  exp: z.number().optional(),
  nbf: z.number().optional(),
  vc: z.looseObject({
    id: z.string(),
    type: z.array(z.string()),
    validFrom: z.string().optional(),
    validUntil: z.string().optional(),
    credentialSubject: z.looseObject({
      type: z.string(),
      statusPurpose: z.union([z.string(), z.array(z.string())]),
      encodedList: z.string(),
    }),
  }),
})

export type StatusEntry = z.infer<typeof zStatusEntry>
export type StatusListCredential = z.infer<typeof zStatusListCredential>

/** What the list of one of the two forms looks like. */
export interface StatusListForm {
  readonly credentialType: string
  readonly subjectType: string
  readonly encoding: 'multibase' | 'base64url'
  /** Contexts after the first; the terms of Bitstring Status List are in the first one. */
  readonly furtherContexts: readonly string[]
}

/** What the list looks like that an entry of each form points to. */
export const statusListForms: Readonly<Record<StatusEntryType, StatusListForm>> = {
  BitstringStatusListEntry: {
    credentialType: 'BitstringStatusListCredential',
    subjectType: 'BitstringStatusList',
    encoding: 'multibase',
    furtherContexts: [],
  },
  StatusList2021Entry: {
    credentialType: 'StatusList2021Credential',
    subjectType: 'StatusList2021',
    encoding: 'base64url',
    furtherContexts: ['https://w3id.org/vc/status-list/2021/v1'],
  },
}

/** The form of a list by its types; undefined where it is of neither. */
export function findStatusListForm(types: readonly string[]): StatusListForm | undefined {
  return Object.values(statusListForms).find(({ credentialType }) => types.includes(credentialType))
}
