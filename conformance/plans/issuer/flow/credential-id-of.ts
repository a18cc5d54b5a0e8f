import type { ObtainedCredential } from './obtain-credential.ts'

/** What names a credential: `id` of the `vc` claim, or `jti` where that has none; judged nowhere here. */
export const credentialIdOf = ({ vc, jws }: Pick<ObtainedCredential, 'vc' | 'jws'>): unknown =>
  vc.id ?? jws.payload.jti
