import { z } from 'zod'
import { type Mandate, zMandate } from '#core/lear-credential/lear-credential.ts'
import { createHttpClient } from '#kit/create-http-client.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { ConnectorConfig } from '../config.ts'
import { claimsInvalid, claimsUnavailable } from '../errors.ts'

const zClaims = z.looseObject({
  claims: z.looseObject({ mandate: zMandate }),
  credential_id: z.string().min(1).optional(),
  credential_status: z.looseObject({ type: z.string() }).optional(),
  valid_until: z.number().int().positive().optional(),
})

interface IssuerClaims {
  readonly mandate: Mandate
  readonly credentialId?: string
  /** The credentialStatus that the issuer requests. */
  readonly credentialStatus?: object
  /** Unix seconds. */
  readonly validUntil?: number
}

export interface IssuerNotification {
  readonly subjectId: string
  readonly credentialId: string
  readonly event: string
}

export interface IssuerClient {
  /** Undefined if the issuer has nothing (more) to issue for this subject. */
  requestClaims(subjectId: string, vcType: string): Promise<IssuerClaims | undefined>
  /** `refused` is final; `unreachable` can be retried. */
  notify(notification: IssuerNotification): Promise<'accepted' | 'refused' | 'unreachable'>
}

/**
 * The connector's client of the issuer.
 *
 * @assumption A-19 A-20
 */
export function createIssuerClient(config: ConnectorConfig, runtime: Runtime): IssuerClient {
  const options = {
    caller: 'connector',
    dependency: 'issuer',
    baseUrl: config.issuerUrl,
    headers: { 'x-api-key': config.issuerApiKey },
  }
  const claims = createHttpClient(runtime, options)
  const notifications = createHttpClient(runtime, { ...options, faults: ['notification-lost'] })
  const { app, profile, instance } = config
  return {
    async requestClaims(subjectId, vcType) {
      const answer = await claims.postJson('/issuance/claims', {
        subject_id: subjectId,
        vc_type: vcType,
        app,
        profile,
        instance,
      })
      if (answer.status === 404) return undefined
      const detail = `/issuance/claims returned ${answer.status}: ${answer.text.slice(0, 500)}`
      if (answer.status !== 200) throw claimsUnavailable(detail)
      const parsed = zClaims.safeParse(answer.json)
      if (!parsed.success) throw claimsInvalid(detail)
      const { credential_id, credential_status, valid_until } = parsed.data
      return {
        mandate: parsed.data.claims.mandate,
        ...(credential_id === undefined ? {} : { credentialId: credential_id }),
        ...(credential_status === undefined ? {} : { credentialStatus: credential_status }),
        ...(valid_until === undefined ? {} : { validUntil: valid_until }),
      }
    },
    async notify({ subjectId, credentialId, event }) {
      const answer = await notifications
        .postJson('/issuance/notifications', {
          subject_id: subjectId,
          credential_id: credentialId,
          event,
          app,
          profile,
          instance,
        })
        .catch(() => undefined)
      if (answer?.status === 200) return 'accepted'
      // A wrong key or a busy issuer may recover; a rejection by the issuer is final.
      const isFinal = answer && [400, 404, 409, 422].includes(answer.status)
      return isFinal ? 'refused' : 'unreachable'
    },
  }
}
