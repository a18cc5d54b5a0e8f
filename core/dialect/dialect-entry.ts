/**
 * A member of a message, in one of the forms that revisions of OpenID4VCI and OpenID4VP have given
 * it. What is in no list is in every revision, or an extension.
 */
export interface DialectEntry {
  /** Names joined by dots; `*` stands for any name, and for any place in a list. */
  readonly path: string
  /** Which values are this form. By default any. */
  readonly form?: (value: unknown) => boolean
  /** The revisions that have it so, by the document history of the specification. */
  readonly follows: string
  /** What the profile has instead; left out if it is the same, or open. */
  readonly documents?: string
  /** Where that stands. */
  readonly clause: string
  /** The value may be shown: it is no secret, and telling. */
  readonly show?: true
}

export const isText = (value: unknown): value is string => typeof value === 'string'

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

export const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
