import { z } from 'zod'
import { targetMembers, zKitOptions, zSecret } from '../../targets/target-members.ts'

const zAddress = z.url({ protocol: /^https?$/ })

/** A relying party under test: an application that logs its users in at the kit's provider. */
export const zRelyingPartyTarget = z.strictObject({
  ...targetMembers('relying-party'),
  // The keys of the provider are new in every run.
  kit: zKitOptions.omit({ seed: true }).optional().describe('The server of the provider.'),
  client: z
    .strictObject({
      clientId: z.string().min(1).meta({ example: 'my-app' }),
      clientSecret: zSecret.meta({ example: '$CLIENT_SECRET' }),
      redirectUri: zAddress
        .describe('Where the application receives the code.')
        .meta({ example: 'http://127.0.0.1:3000/callback' }),
    })
    .describe('How the application is registered at the provider that the kit plays.'),
  loginUrl: zAddress
    .describe('Starts a login: it leads the browser to the provider.')
    .meta({ example: 'http://127.0.0.1:3000/login' }),
  userPage: zAddress
    .optional()
    .describe(
      'A page that shows the name, the email or the sub of the user who is logged in. By default the page at which the login ends.',
    )
    .meta({ example: 'http://127.0.0.1:3000/me' }),
  clientAuthentication: z
    .enum(['basic', 'body'])
    .optional()
    .describe('How the application is registered to send its secret. By default either is right.')
    .meta({ example: 'basic' }),
})

export type RelyingPartyTarget = z.infer<typeof zRelyingPartyTarget>
