import { parseJws } from '#core/crypto/jws.ts'
import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { expectedClaims } from '#scenarios/fixtures/held-credentials.ts'
import { chooseWallet, openPortalLogin } from '#scenarios/fixtures/portal-login.ts'
import { presentCredential } from '#scenarios/fixtures/presentations.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectIncludes, expectMatch, expectTrue } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'broker/mapped-claims',
  title: "Every attribute of a credential reaches the portal's tokens by a mapper",
  category: 'Broker',
  description: `
A portal logs somebody in by wallet, through the token issuer as a broker. There is one mapper for
each attribute, and so the portal's id_token has **all the claims** that the IDP gave: names, address,
organization, \`user_identifier\` and \`power\`, still a string with the serialized list.

The access token carries them too, not only what the issuer requires. Its subject is the token issuer's own: it is neither an
address nor what the IDP calls the holder.`,
  references: [
    { document: 'Document 1', section: 'IDP id_token claims (scope openid-vp-lear)' },
    { document: 'Document 1', section: 'Token claims required by the Issuer' },
    { document: 'Assumptions', section: 'A-42' },
  ],

  async run(context) {
    const { step, environment } = context
    const wallet = context.createWallet()
    const credential = await step('A wallet holds a credential', () =>
      collectCredential(context, wallet),
    )
    const opened = await step('A portal sends a browser to the token issuer', () =>
      openPortalLogin(context),
    )
    const login = await step('There the wallet is chosen: the IDP shows a code', () =>
      chooseWallet(context, opened),
    )
    const tokens = await step('The wallet presents, and the portal gets its tokens', async () => {
      await presentCredential(context, wallet, login.link)
      await login.awaitEnd('SUCCESS')
      return opened.portal.redeem(await login.followRedirect())
    })
    const { sub, ...claims } = expectedClaims(credential)
    await step("The portal's id_token has every attribute", () => {
      const { idTokenClaims } = tokens
      expectIncludes('the id_token', idTokenClaims, claims)
      expectMatch('power', idTokenClaims.power, /^\[\{.*\}\]$/)
      expectTrue('the subject is no address', !String(idTokenClaims.sub).includes('@'))
      expectTrue("the subject is not the IDP's", idTokenClaims.sub !== sub, sub)
    })
    await step('The Bearer token has every attribute, as the issuer requires some of them', () => {
      const jws = parseJws(tokens.accessToken)
      expectIncludes('the access token', jws.ok ? jws.payload : {}, {
        iss: environment.tokenIssuerBaseUrl,
        ...claims,
      })
    })
  },
})
