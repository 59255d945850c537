/**
 * The path of the server program for the end-to-end tests: the environment variable `FORECOURT`, or else the debug
 * build, which reads the web app from `web/dist` instead of embedding it.
 */
export const program = process.env.FORECOURT ?? '../target/debug/forecourt'
