// The built playground on a server of its own, compressed as hosts of static files do.
import { createReadStream } from 'node:fs';
import { createBrotliCompress, constants } from 'node:zlib';
import { serve } from '../e2e/serve.mjs';

/** Serves `dist`; Lighthouse counts what is transferred. */
export const serveDist = () =>
  serve({
    answer: async (_name, file, response) => {
      response.setHeader('Content-Encoding', 'br');
      const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
      await new Promise((resolve, reject) =>
        createReadStream(file).pipe(createBrotliCompress(quality)).pipe(response).on('finish', resolve).on('error', reject),
      );
      return true;
    },
  });
