// The one Chromium that tests drive, and how it is started.

import { existsSync } from 'node:fs';

import { chromium } from 'playwright-core';

/** Set-up installs the first of them. */
const USUAL = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
export const executablePath = process.env.CHROMIUM_PATH ?? USUAL.find((path) => existsSync(path)) ?? USUAL[1];
/** Nothing but the pages of the tests: no sandbox in a container, no calls home. */
export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Why there is no browser on this machine, or `false`. */
export const noBrowser = existsSync(executablePath) ? false : `there is no Chromium${executablePath && ` at ${executablePath}`}`;

export const launch = () => chromium.launch({ executablePath, args: FLAGS });
