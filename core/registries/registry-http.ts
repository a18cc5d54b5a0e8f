/** What a registry answered. */
export interface RegistryAnswer {
  readonly status: number
  readonly text: string
  /** The body as JSON; `undefined` where it is none. */
  readonly json: unknown
}

export interface RegistryRequest {
  readonly headers?: Readonly<Record<string, string>>
  /** Posted as JSON; without it the request is a GET. */
  readonly json?: unknown
}

/**
 * How a registry is reached: the path is below its base address, every status is an answer, and
 * where there was none it throws.
 */
export type RequestRegistry = (path: string, request?: RegistryRequest) => Promise<RegistryAnswer>
