/** A token request of the pre-authorized code flow. */
export interface TokenRequest {
  readonly preAuthorizedCode: string
  /** The PIN, where the offer asks for one. */
  readonly txCode?: string
}
