// Our side of the login measurement, in a separate process.
import { createLog } from '#kit/log.ts'
import { createRuntime } from '#kit/runtime.ts'
import { createIdpService } from '#services/idp/create-idp-service.ts'
import { createVerifierService } from '#services/verifier/create-verifier-service.ts'
import { startService } from '#test/support/services.ts'
import { type LoginSetup, serveLogin } from './login-system.ts'

const verifierApiKey = 'an api key for the verifier'
const idpApiKey = 'an api key for the idp'

/**
 * The IDP and the verifier as in production, each with a database file; returns the IDP's address.
 */
async function startOurLogin(setup: LoginSetup): Promise<string> {
  const { client, trustUrl, tirBaseUrl, credentialIssuerUrl, folder } = setup
  const runtime = createRuntime({ log: createLog({ level: 'silent' }) })
  const [verifierDid = '', verifierVMethodId = ''] = setup.verifierKid.split('#')
  const idp = await startService(async (idpUrl) => {
    const verifier = await startService((baseUrl) =>
      createVerifierService(
        {
          baseUrl,
          databaseUrl: `sqlite:${folder}/verifier.sqlite`,
          environment: 'pre',
          apiKeys: [verifierApiKey],
          idpUrl,
          idpApiKey,
          didRegistryBaseUrl: trustUrl,
          tirBaseUrl,
          rootDids: [setup.rootDid],
          credentialIssuerUrls: [credentialIssuerUrl],
          internalUrls: {
            [new URL(tirBaseUrl).origin]: trustUrl,
            [credentialIssuerUrl]: trustUrl,
          },
          verifierDid,
          verifierVMethodId,
          verifierPrivateKey: setup.verifierPrivateKey,
        },
        runtime,
      ),
    )
    const { redirectUri, ...registration } = client
    return createIdpService(
      {
        baseUrl: idpUrl,
        databaseUrl: `sqlite:${folder}/idp.sqlite`,
        verifierUrl: verifier.baseUrl,
        verifierApiKey,
        apiKeys: [idpApiKey],
        cookieKeys: ['a cookie key of 32 characters or more'],
        clients: [{ ...registration, redirectUris: [redirectUri] }],
      },
      runtime,
    )
  })
  return idp.baseUrl
}

await serveLogin(startOurLogin)
