/**
 * A member of a message, in one of the forms that it has in revisions of OpenID4VCI and OpenID4VP.
 * A member that is not listed is in every revision or is an extension.
 */
export interface DialectEntry {
  /** Names joined by dots; `*` matches any name and any list index. */
  readonly path: string
  /** Which values have this form. Default: all. */
  readonly form?: (value: unknown) => boolean
  /** The revisions with this form, according to the document history of the specification. */
  readonly follows: string
  /** The form in the profile, if it is different. */
  readonly documents?: string
  /** The clause that defines it. */
  readonly clause: string
  /** The value is shown: it is useful and not secret. */
  readonly show?: true
}

export const isText = (value: unknown): value is string => typeof value === 'string'

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)
