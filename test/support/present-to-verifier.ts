import type { TrustWorld } from '#conformance/world/create-trust-world.ts'
import { signJws } from '#core/crypto/jws.ts'
import type { PresentationRequest, RunningVerifier } from './start-verifier.ts'

export type PresentationForm = Record<string, string>

/** Makes another form of a good one. */
export type ChangeForm = (form: PresentationForm, request: PresentationRequest) => PresentationForm

/** Posts to a fresh session what the test makes of a good presentation. */
export async function presentToVerifier(
  verifier: RunningVerifier,
  change: ChangeForm = (form) => form,
) {
  const session = await verifier.createSession()
  const request = await verifier.getRequest(session)
  const form = change(verifier.presentationFor(request), request)
  const response = await verifier.post(request.response_uri, form)
  const { status, explanation } = await verifier.inspect(session)
  const rules = [...new Set((explanation?.failures ?? []).map(({ rule }) => rule))]
  return { session, request, form, response, status, rules, explanation }
}

/** The form with its presentation's claims and header changed, signed by the holder again. */
export function resignPresentation(
  { holder }: TrustWorld,
  form: PresentationForm,
  members: object,
  header: object = {},
): PresentationForm {
  const [, encoded = ''] = (form.vp_token ?? '').split('.')
  const payload = JSON.parse(Buffer.from(encoded, 'base64url').toString())
  return {
    ...form,
    vp_token: signJws({
      header: { alg: 'ES256K', typ: 'JWT', kid: holder.kid, ...header },
      payload: { ...payload, ...members },
      privateKey: holder.privateKey,
    }),
  }
}

/** A credential of the world's issuer with members of its `vc` claim replaced. */
export function issueWithVc(world: TrustWorld, members: object): string {
  const payload = world.credentialPayload()
  return world.issue({ ...payload, vc: { ...payload.vc, ...members } })
}

/** A credential of the world's issuer with members of its mandate replaced. */
export function issueWithMandate(world: TrustWorld, members: object): string {
  const { credentialSubject } = world.credentialPayload().vc
  const mandate = { ...credentialSubject.mandate, ...members }
  return issueWithVc(world, { credentialSubject: { ...credentialSubject, mandate } })
}

/** A JWT that is signed by nothing: header and payload as given, and any third part. */
export function unsignedJwt(header: object | string, payload: object | string, signature = '') {
  const encode = (part: object | string) =>
    Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url')
  return `${encode(header)}.${encode(payload)}.${signature}`
}
