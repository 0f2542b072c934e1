-- Requests before which a policy acted, beside all others: their size, and the cached tokens that it cost.
SELECT
  profile,
  prunes OR summarizes AS acted,
  count(*) AS requests,
  round(avg(tokens))::BIGINT AS mean_tokens,
  max(tokens) AS largest,
  sum(cached)::BIGINT AS cached,
  sum(broken)::BIGINT AS no_longer_cached
FROM 'requests.parquet'
GROUP BY ALL
ORDER BY profile, acted;
