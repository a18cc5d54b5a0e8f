/** A system that people log in to, as relying party, browser and wallet see it. */
export interface LoginSystem {
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  readonly userinfoEndpoint: string
  /** Scope that the relying party asks for. */
  readonly scope: string
  /** The openid4vp:// link in the page. */
  linkOf(page: string): string
  /** Where the page asks how the login stands. */
  statusUrlOf(page: string): string
  /** The form that the wallet posts. */
  formOf(vpToken: string, request: PresentationRequest): Record<string, string>
}

/** The members of a presentation request that a wallet answers to. */
export interface PresentationRequest {
  readonly response_uri: string
  readonly client_id: string
  readonly nonce: string
  readonly state: string
}

/** What a system is started with; it goes to its process as JSON. */
export interface LoginSetup {
  readonly client: {
    readonly clientId: string
    readonly clientSecret: string
    /** Nothing listens there: the driver stops before it. */
    readonly redirectUri: string
  }
  /** Address of DID registry, TIR and status lists. */
  readonly trustUrl: string
  readonly tirBaseUrl: string
  readonly credentialIssuerUrl: string
  readonly rootDid: string
  /** The verifier's registered key: DID URL and secp256k1 key. */
  readonly verifierKid: string
  readonly verifierPrivateKey: string
  /** A folder of the system's own, for what it keeps. */
  readonly folder: string
}
