import {
  createDidRegistryClient,
  type DidRegistryClient,
} from '#core/registries/did-registry-client.ts'
import { createTirClient, type TirClient } from '#core/registries/tir-client.ts'
import { createHttpClient } from '#kit/create-http-client.ts'
import type { Runtime } from '#kit/runtime.ts'

export interface OpenRegistryOptions {
  readonly baseUrl: string
  readonly caller: string
}

/**
 * The client of the DID registry below `baseUrl`. Where there is no answer, its calls throw a
 * TestbedError `dependency_unavailable`.
 */
export function openDidRegistry(runtime: Runtime, options: OpenRegistryOptions): DidRegistryClient {
  const dependency = 'DID registry'
  // The registry itself may wait some seconds for a receipt before it answers.
  const timeoutMilliseconds = 30_000
  return createDidRegistryClient(
    createHttpClient(runtime, { ...options, dependency, timeoutMilliseconds }).request,
  )
}

/** The client of the TIR below `baseUrl`, otherwise as {@link openDidRegistry}. */
export function openTir(
  runtime: Runtime,
  { apiKey, ...options }: OpenRegistryOptions & { readonly apiKey?: string | undefined },
): TirClient {
  const dependency = 'trusted issuers registry'
  return createTirClient(createHttpClient(runtime, { ...options, dependency }).request, apiKey)
}
