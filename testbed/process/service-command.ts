import type { FaultName } from '#kit/runtime.ts'
import type { PreparedOfferOrder } from '#services/connector/create-connector-service.ts'
import type { CustomOfferRequest } from '#services/issuer/operations/issuance.ts'
import type { ContextData } from '../compose/context-data.ts'
import type { ServicePart } from '../compose/environment-services.ts'

/** How the process of a service begins: by taking its port. */
export interface ServiceProcessStart {
  readonly part: ServicePart
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** What the port is for, in words for people. */
  readonly label: string
  readonly logLevel: string
  readonly allowedHosts: readonly string[]
}

export interface ServiceReady {
  readonly port: number
}

/** What the testbed tells the process of a service over the IPC channel. */
export type ServiceCommand =
  | { readonly command: 'compose'; readonly data: ContextData; readonly clockOffset: number }
  | { readonly command: 'setClockOffset'; readonly milliseconds: number }
  | { readonly command: 'setFault'; readonly name: FaultName; readonly isActive: boolean }
  | { readonly command: 'collectHops' }
  | { readonly command: 'hold'; readonly limitMilliseconds: number }
  | { readonly command: 'save' | 'restore' | 'forget'; readonly name: string }
  | { readonly command: 'release' }
  | { readonly command: 'createOffer'; readonly request: CustomOfferRequest }
  | { readonly command: 'createPreparedOffer'; readonly order: PreparedOfferOrder }
  | { readonly command: 'stopListening' }
  | { readonly command: 'close' }
