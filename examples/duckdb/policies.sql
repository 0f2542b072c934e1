-- What each policy costs and saves over all sessions.
SELECT
  profile,
  count(*) AS sessions,
  sum(requests)::BIGINT AS requests,
  round(100 * sum(cost) / sum(cost_without), 1) AS percent_of_cost,
  round(sum(cost_without) - sum(cost))::BIGINT AS saved_tokens,
  sum(prunes)::BIGINT AS prunes,
  sum(summaries)::BIGINT AS summaries,
  sum(over_window)::BIGINT AS over_window
FROM 'sessions.parquet'
GROUP BY profile
ORDER BY percent_of_cost, profile;
