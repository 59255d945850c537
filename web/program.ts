/**
 * The server binary of the end-to-end tests: `FORECOURT`, or the debug build, which reads the web app from its build
 * folder.
 */
export const program = process.env.FORECOURT ?? '../target/debug/forecourt'
