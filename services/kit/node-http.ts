/**
 * Node's `node:http`. An `import` of it would read each of its exports, and `WebSocket` loads all of
 * undici, which takes longer than every service's start.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http')
