import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { openLoginPage } from '#scenarios/fixtures/login-page.ts'
import { revokeCredential } from '#scenarios/fixtures/portal.ts'
import { presentRegardless } from '#scenarios/fixtures/presentations.ts'
import { createRelyingParty } from '#scenarios/fixtures/relying-party.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectMatch } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'login/languages',
  title: "A login's pages are in the person's language",
  category: 'Login',
  algorithms: ['EdDSA'],
  description: `
The browser says which language its person reads. The page with the code and the page of a refusal
are in **Spanish** for one who reads that, in English for one whose languages there are not, and in
the language that the relying party asked for with \`ui_locales\`, whatever the browser says.`,
  references: [
    { document: 'OpenID Connect Core 1.0', section: '3.1.2.1, ui_locales' },
    { document: 'RFC 9110', section: '12.5.4' },
  ],

  async run(context) {
    const { step, environment } = context
    const { oidcClient, idpBaseUrl } = environment
    const wallet = context.createWallet()
    const open = async (language: string, uiLocales?: string) => {
      const { authorizationUrl } = await createRelyingParty(context, {
        caller: 'relying-party',
        issuerUrl: idpBaseUrl,
        client: oidcClient,
        scope: 'openid openid-vp-lear',
      })
      if (uiLocales) authorizationUrl.searchParams.set('ui_locales', uiLocales)
      return openLoginPage(context, authorizationUrl, oidcClient.redirectUri, {
        'accept-language': language,
      })
    }
    await step('A wallet holds a credential that has been revoked', async () => {
      const { credentialId } = await collectCredential(context, wallet)
      await revokeCredential(context, credentialId)
    })
    const login = await step('Somebody who reads Spanish gets a page in Spanish', async () => {
      const opened = await open('es-ES, es;q=0.9, en;q=0.8')
      expectMatch('the page', opened.page.text, /<html lang="es">/)
      expectMatch('what it says', opened.page.text, /Escanee este código con su cartera/)
      return opened
    })
    await step('The reason of a refusal is in Spanish too', async () => {
      await presentRegardless(context, wallet, login.link)
      await login.awaitEnd('FAILED')
      expectMatch('the page', (await login.reload()).text, /Su credencial fue revocada/)
    })
    await step('Somebody who reads neither gets English', async () => {
      expectMatch('the page', (await open('fi')).page.text, /<html lang="en">/)
    })
    await step('What the relying party asks for counts more', async () => {
      expectMatch('the page', (await open('en', 'fr es')).page.text, /<html lang="es">/)
    })
  },
})
