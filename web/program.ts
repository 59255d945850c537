/**
 * The server that the stories drive: the one that `FORECOURT` names, else the one that the server's tests are built with, which
 * is there already, and reads the web app where it was built.
 */
export const program = process.env.FORECOURT ?? '../target/debug/forecourt'
