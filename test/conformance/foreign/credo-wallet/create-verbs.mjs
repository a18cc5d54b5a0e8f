import { createAgent } from './create-agent.mjs'

const preAuthorizedCode = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'

/** The verbs of the wallet; each one is what Credo's holder API does. */
export function createVerbs({ didRegistryUrl }) {
  let current = createAgent({ didRegistryUrl })
  return {
    async 'accept-offer'({ link, pin }) {
      const { agent, didUrl } = await current
      const { holder } = agent.openid4vc
      const resolvedCredentialOffer = await holder.resolveCredentialOffer(link)
      const { credentialOfferPayload: offer } = resolvedCredentialOffer
      const token = await holder.requestToken({
        resolvedCredentialOffer,
        ...(offer.grants?.[preAuthorizedCode]?.tx_code && { txCode: pin }),
      })
      const { credentials } = await holder.requestCredentials({
        resolvedCredentialOffer,
        ...token,
        // Becomes `iss` of the proof, which the profile wants to be the holder's DID.
        clientId: didUrl.split('#')[0],
        credentialBindingResolver: () => ({ method: 'did', didUrls: [didUrl] }),
      })
      for (const { record } of credentials) await storesOf(agent, record).store({ record })
      return { credentials: credentials.map(({ record }) => record.firstCredential.encoded) }
    },

    async present({ link }) {
      const { agent } = await current
      const { holder } = agent.openid4vc
      const { authorizationRequestPayload, dcql } =
        await holder.resolveOpenId4VpAuthorizationRequest(link)
      const { redirectUri, serverResponse } = await holder.acceptOpenId4VpAuthorizationRequest({
        authorizationRequestPayload,
        dcql: { credentials: holder.selectCredentialsForDcqlRequest(dcql.queryResult) },
      })
      if (serverResponse.status >= 300) throw new Error(`the verifier: ${serverResponse.status}`)
      return { redirect_uri: redirectUri }
    },

    async list() {
      const { agent } = await current
      const records = [
        ...(await agent.w3cCredentials.getAll()),
        ...(await agent.w3cV2Credentials.getAll()),
      ]
      return { credentials: records.map((record) => record.firstCredential.encoded) }
    },

    async reset() {
      current = createAgent({ didRegistryUrl })
      await current
      return {}
    },
  }
}

const storesOf = (agent, { type }) =>
  type === 'W3cV2CredentialRecord' ? agent.w3cV2Credentials : agent.w3cCredentials
