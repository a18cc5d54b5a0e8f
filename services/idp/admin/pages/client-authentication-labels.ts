/** How a client may send its secret, for people. */
export const authenticationLabels = {
  either: 'HTTP Basic or in the body, as the client likes',
  client_secret_basic: 'HTTP Basic',
  client_secret_post: 'In the body of the request',
} as const
